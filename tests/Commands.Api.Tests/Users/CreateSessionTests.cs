using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Users;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Users;

public sealed class CreateSessionTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Password = "correct horse";

    [Fact]
    public async Task The_right_password_gives_a_token_and_the_login_is_an_event()
    {
        var (id, email) = await UserAsync();
        using var http = app.ClientWith(null);
        using var response = await LogInAsync(http, email.ToUpperInvariant(), Password);
        var answer = await Answer.ReadAsync(response);

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
        response.Headers.Contains("Consistency-Token").ShouldBeTrue();
        answer.Body.GetProperty("customerId").GetInt32().ShouldBe(id);
        var left = answer.Body.GetProperty("expiresAt").GetDateTimeOffset() - TimeProvider.System.GetUtcNow();
        left.TotalMinutes.ShouldBeInRange(718, 720);
        var state = await app.ShouldHaveSaidAsync("users", id, "apexshop.user.updated", 2);
        (TimeProvider.System.GetUtcNow() - state.GetProperty("lastLoginDate").GetDateTimeOffset()).TotalMinutes
            .ShouldBeInRange(-1, 2);
    }

    [Fact]
    public async Task A_password_of_spaces_is_one()
    {
        var (id, email) = await UserAsync();
        var spaces = new string(' ', 8);
        (await app.PutAsync(
                $"/users/{id}", new { email, firstName = "A", lastName = "B", password = spaces }))
            .ShouldBeReplaced(id, 2);
        using var http = app.ClientWith(null);

        (await StatusAsync(http, email, spaces)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(http, email, "")).ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Every_refusal_is_the_same_and_takes_one_verification_of_a_real_hash()
    {
        var (_, email) = await UserAsync();
        var (inactive, emailOfInactive) = await UserAsync();
        await app.ScalarAsync<object>($"UPDATE shop.users SET is_active = false WHERE id = {inactive}");
        var hasher = new CountingHasher();
        await using var api = Start(services => services.AddSingleton<IPasswordHasher<User>>(hasher));
        using var http = CommandsApp.Client(api, null);
        (string Email, string Password)[] all =
            [(email, "wrong horse"), ("unknown@example.com", Password), (emailOfInactive, Password)];
        var texts = new List<string>();
        foreach (var one in all)
        {
            hasher.Verified.Clear();
            using var response = await LogInAsync(http, one.Email, one.Password);
            var answer = await Answer.ReadAsync(response);

            answer.ShouldBeProblem(HttpStatusCode.Unauthorized, "session.refused");
            response.Headers.WwwAuthenticate.ToString().ShouldBe("Bearer");
            var traceId = answer.Body.GetProperty("traceId").GetString()!;
            texts.Add(answer.Text.Replace(traceId, "", StringComparison.Ordinal));
            var (hash, password) = hasher.Verified.ShouldHaveSingleItem();
            password.ShouldBe(one.Password);
            // The header of a hash: the format, the function, the iterations and the length of the salt.
            HeaderOf(hash).ShouldBe(HeaderOf(hasher.HashPassword(null!, "x")));
        }

        texts.Distinct().ShouldHaveSingleItem();
        (await app.ScalarAsync<long>(
            "SELECT count(*) FROM shop.users WHERE last_login_date IS NOT NULL "
            + $"AND email IN ('{email}', '{emailOfInactive}')")).ShouldBe(0);
    }

    [Theory]
    [InlineData("is_active = false")]
    [InlineData("password_hash = 'of another password'")]
    public async Task A_user_that_is_changed_while_the_password_is_verified_is_not_logged_in(string change)
    {
        var (id, email) = await UserAsync();
        var sql = $"UPDATE shop.users SET {change} WHERE id = {id}";
        var hasher = new CountingHasher { Verifying = () => app.ScalarAsync<object>(sql).GetAwaiter().GetResult() };
        await using var api = Start(services => services.AddSingleton<IPasswordHasher<User>>(hasher));
        using var http = CommandsApp.Client(api, null);

        using var response = await LogInAsync(http, email, Password);

        (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.Unauthorized, "session.refused");
        (await app.VersionAsync("users", id)).ShouldBe(1);
    }

    [Fact]
    public async Task Attempts_are_limited_by_e_mail_address_whatever_its_case_and_the_password()
    {
        var (_, email) = await UserAsync();
        await using var api = Start(
            _ => { }, ("Limits:SessionEmailRate:Burst", "3"), ("Limits:SessionEmailRate:Seconds", "86400"));
        using var http = CommandsApp.Client(api, null);
        for (var i = 0; i < 3; i++)
            (await StatusAsync(http, i == 1 ? email.ToUpperInvariant() : email, "wrong horse"))
                .ShouldBe(HttpStatusCode.Unauthorized);

        using var response = await LogInAsync(http, email, Password);
        (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        response.Headers.RetryAfter!.Delta!.Value.TotalSeconds.ShouldBeInRange(1, 86400);
        (await StatusAsync(http, "other@example.com", "wrong horse")).ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Fact]
    public async Task Letters_that_PostgreSQL_takes_for_the_same_are_one_address()
    {
        await using var api = Start(
            _ => { }, ("Limits:SessionEmailRate:Burst", "3"), ("Limits:SessionEmailRate:Seconds", "86400"));
        using var http = CommandsApp.Client(api, null);
        foreach (var email in (string[])["kiki@example.com", "\u212Aiki@example.com", "k\u0130ki@example.com"])
            (await StatusAsync(http, email, "wrong horse")).ShouldBe(HttpStatusCode.Unauthorized);

        (await StatusAsync(http, "ki\u212A\u0130@example.com", "wrong horse")).ShouldBe(HttpStatusCode.TooManyRequests);
    }

    [Fact]
    public async Task A_large_body_is_refused_before_it_is_read()
    {
        await using var api = Start(_ => { });
        using var http = CommandsApp.Client(api, null);
        using var response = await LogInAsync(http, new string('a', 5000) + "@example.com", "wrong horse");
        (await Answer.ReadAsync(response))
            .ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "body.too_large");
        response.Headers.ConnectionClose.ShouldBe(true);
    }

    [Fact]
    public async Task All_verifications_and_hashes_use_half_of_the_cores_however_many_callers_there_are()
    {
        using var hasher = new GatedHasher();
        using var limit = new HashingLimit();
        var check = new PasswordCheck(hasher, limit);
        var creation = new CreateUser.Preparation(hasher, limit);
        var lists = new ListPasswordHasher(hasher, limit);
        var user = new UserInput.Body("a@b.example", "A", "B", null, Password);
        hasher.Close();
        var callers = Enumerable.Range(0, HashingLimit.Cores + 1).SelectMany<int, Task>(_ =>
        [
            Task.Run(() => check.IsVerifiedAsync("hash", "password", CancellationToken.None)),
            Task.Run(() => creation.PrepareAsync(new(user), CancellationToken.None)),
            Task.Run(() => lists.HashAllAsync([user, user, user], CancellationToken.None)),
        ]).ToList();

        await Eventually.Holds(() => hasher.MostAtATime >= HashingLimit.Cores, "all cores of the limit are used");
        await Task.Delay(TimeSpan.FromMilliseconds(300));
        hasher.Open();
        await Task.WhenAll(callers);

        hasher.MostAtATime.ShouldBe(HashingLimit.Cores);
    }

    [Fact]
    public async Task Attempts_are_limited_by_address_unless_the_caller_has_a_key()
    {
        await using var api = Start(
            _ => { }, ("Limits:SessionAddressRate:Burst", "3"), ("Limits:SessionAddressRate:Seconds", "86400"));
        using var http = CommandsApp.Client(api, null);
        for (var i = 0; i < 3; i++)
            (await StatusAsync(http, $"{i}@example.com", "wrong horse")).ShouldBe(HttpStatusCode.Unauthorized);

        (await StatusAsync(http, "4@example.com", "wrong horse")).ShouldBe(HttpStatusCode.TooManyRequests);
        using var server = CommandsApp.Client(api, CommandsApp.Key);
        (await StatusAsync(server, "4@example.com", "wrong horse")).ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Fact]
    public async Task Attempts_without_a_key_wait_in_a_queue_of_their_own_and_when_it_is_full_they_are_refused()
    {
        await using var api = Start(_ => { }, ("Limits:SessionAddressRate:Burst", "10000"));
        using var http = CommandsApp.Client(api, null);
        using var server = CommandsApp.Client(api, CommandsApp.Key);
        // The first one opens a connection to the database.
        await StatusAsync(server, "first@example.com", "wrong horse");
        var most = (LoginQueue.WaitingPerCore + 1) * HashingLimit.Cores;
        var isFull = new TaskCompletionSource<HttpResponseMessage>();
        var guesses = Enumerable.Range(0, 3 * most).Select(GuessAsync).ToList();
        using var refused = await isFull.Task.WaitAsync(TimeSpan.FromMinutes(1));
        var login = await StatusAsync(server, "last@example.com", "wrong horse");
        var waiting = guesses.Count(guess => !guess.IsCompleted);

        (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        refused.Headers.RetryAfter!.Delta.ShouldBe(TimeSpan.FromSeconds(2));
        login.ShouldBe(HttpStatusCode.Unauthorized);
        waiting.ShouldBeGreaterThan(0, "the login with a key does not wait for all guesses");
        await Task.WhenAll(guesses);

        async Task GuessAsync(int number)
        {
            var response = await LogInAsync(http, $"{number}@example.com", "wrong horse");
            if (response.StatusCode != HttpStatusCode.TooManyRequests || !isFull.TrySetResult(response))
                response.Dispose();
        }
    }

    [Fact]
    public async Task Without_the_setting_customers_cannot_log_in_and_no_token_is_valid()
    {
        var (id, email) = await UserAsync();
        using var customer = await app.CustomerAsync(id);
        await using var api = Start(_ => { }, ("Sessions:Key", ""));
        using var http = CommandsApp.Client(api, customer.DefaultRequestHeaders.Authorization!.Parameter);

        using var session = await LogInAsync(http, email, Password);
        (await Answer.ReadAsync(session)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "session.off");
        using var order = await http.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(id, (1, 1)));
        (await Answer.ReadAsync(order)).ShouldBeProblem(HttpStatusCode.Unauthorized, "access.key_required");
    }

    [Fact]
    public async Task Neither_password_nor_token_is_logged_or_stored()
    {
        var (_, email) = await UserAsync();
        var logs = new AllLogs();
        await using var api = Start(
            services => services.AddSingleton<ILoggerProvider>(logs)
                .Configure<LoggerFilterOptions>(filter => filter.MinLevel = LogLevel.Trace),
            ("Logging:LogLevel:Default", "Trace"), ("Logging:LogLevel:Microsoft", "Trace"));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        http.DefaultRequestHeaders.Add("Idempotency-Key", $"{Guid.NewGuid()}");
        using var response = await LogInAsync(http, email, Password);
        var token = (await Answer.ReadAsync(response)).Body.GetProperty("token").GetString()!;
        (await StatusAsync(http, email, "a wrong and secret horse")).ShouldBe(HttpStatusCode.Unauthorized);
        using var customer = CommandsApp.Client(api, token);
        using var refused = await customer.DeleteAsync("/orders/1");

        logs.Lines.ShouldNotBeEmpty();
        foreach (var secret in (string[])[Password, "a wrong and secret horse", token, token[9..40]])
        {
            logs.Lines.Where(line => line.Contains(secret, StringComparison.Ordinal)).ShouldBeEmpty();
            foreach (var table in (string[])["users", "outbox", "events", "idempotency_keys"])
                (await app.ScalarAsync<long>(
                    $"SELECT count(*) FROM shop.{table} AS t WHERE position('{secret}' IN t::text) > 0")).ShouldBe(0);
        }

        (await app.ScalarAsync<long>($"SELECT count(*) FROM shop.idempotency_keys WHERE answer::text LIKE '%{email}%'"))
            .ShouldBe(0);
    }

    private static WebApplicationFactory<Program> Start(
        CommandsApp app, Action<IServiceCollection> configure, params (string, string)[] settings)
    {
        var factory = CommandsApp.Start(app.Database.Commands, settings)
            .WithWebHostBuilder(host => host.ConfigureServices(configure));
        factory.UseKestrel();
        return factory;
    }

    private static byte[] HeaderOf(string hash) => Convert.FromBase64String(hash)[..13];

    private static Task<HttpResponseMessage> LogInAsync(HttpClient http, string email, string password) =>
        http.PostAsJsonAsync("/sessions", new { email, password });

    private static async Task<HttpStatusCode> StatusAsync(HttpClient http, string email, string password)
    {
        using var response = await LogInAsync(http, email, password);
        return response.StatusCode;
    }

    private WebApplicationFactory<Program> Start(
        Action<IServiceCollection> configure, params (string, string)[] settings) => Start(app, configure, settings);

    private async Task<(int Id, string Email)> UserAsync()
    {
        var id = await app.UserAsync();
        return (id, (await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {id}"))!);
    }

    private sealed class CountingHasher : IPasswordHasher<User>
    {
        private readonly PasswordHasher<User> real = new();

        public ConcurrentBag<(string Hash, string Password)> Verified { get; } = [];

        public Action Verifying { get; init; } = () => { };

        public string HashPassword(User user, string password) => real.HashPassword(user, password);

        public PasswordVerificationResult VerifyHashedPassword(
            User user, string hashedPassword, string providedPassword)
        {
            Verified.Add((hashedPassword, providedPassword));
            Verifying();
            return real.VerifyHashedPassword(user, hashedPassword, providedPassword);
        }
    }

    private sealed class AllLogs : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = new();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
        {
            Lines.Enqueue($"{state}");
            return null;
        }

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => Lines.Enqueue(formatter(state, exception) + exception);

        public void Dispose()
        {
        }
    }

    /// <summary>Each hash waits until the test opens the gate.</summary>
    private sealed class GatedHasher : IPasswordHasher<User>, IDisposable
    {
        private readonly ManualResetEventSlim gate = new(initialState: true);
        private readonly Lock counting = new();
        private int running;

        public int MostAtATime { get; private set; }

        public void Close()
        {
            gate.Reset();
            MostAtATime = 0;
        }

        public void Open() => gate.Set();

        public string HashPassword(User user, string password)
        {
            lock (counting) MostAtATime = Math.Max(MostAtATime, ++running);
            gate.Wait(TimeSpan.FromSeconds(60)).ShouldBeTrue();
            lock (counting) running--;
            return "hash";
        }

        public PasswordVerificationResult VerifyHashedPassword(
            User user, string hashedPassword, string providedPassword)
        {
            HashPassword(user, providedPassword);
            return PasswordVerificationResult.Success;
        }

        public void Dispose() => gate.Dispose();
    }
}
