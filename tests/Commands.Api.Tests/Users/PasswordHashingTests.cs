using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Commands.Api.Users;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Users;

/// <summary>Hashing takes a twentieth of a second for each password, so no transaction is open meanwhile.</summary>
public sealed class PasswordHashingTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    public static TheoryData<string, string> Requests => new()
    {
        { "POST", "/users" }, { "POST", "/users/bulk" }, { "PUT", "/users/{0}" }, { "PUT", "/users/bulk" },
        { "PATCH", "/users/{0}" },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task No_transaction_is_open_while_passwords_are_hashed(string method, string path)
    {
        using var hasher = new HeldHasher(TimeSpan.FromSeconds(30));
        await using var api = Start(app.Database.Commands, services =>
            services.AddSingleton<IPasswordHasher<User>>(hasher));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var id = await app.UserAsync();

        var sending = SendAsync(http, method, path, id);
        await hasher.Started.WaitAsync(TimeSpan.FromSeconds(30));
        var open = await OpenTransactionsAsync();
        hasher.Release();

        (await sending).Answer.Status.ShouldBeOneOf(HttpStatusCode.Created, HttpStatusCode.OK);
        open.ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task A_password_waits_for_one_of_the_cores_that_all_requests_share(string method, string path)
    {
        using var hasher = new HeldHasher(TimeSpan.Zero);
        await using var api = Start(app.Database.Commands, services =>
            services.AddSingleton<IPasswordHasher<User>>(hasher));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var id = await app.UserAsync();
        var (limit, busy) = (api.Services.GetRequiredService<HashingLimit>(), 0);
        using var released = new ManualResetEventSlim();
        var others = Enumerable.Range(0, HashingLimit.Cores).Select(_ => Task.Run(() => limit.RunAsync(
            () =>
            {
                Interlocked.Increment(ref busy);
                return released.Wait(TimeSpan.FromSeconds(30));
            },
            CancellationToken.None))).ToList();
        await Eventually.Holds(() => Volatile.Read(ref busy) == HashingLimit.Cores, "others use the cores");

        var sending = SendAsync(http, method, path, id);
        await Task.WhenAny(hasher.Started, Task.Delay(TimeSpan.FromSeconds(1)));
        var isHashed = hasher.Started.IsCompleted;
        released.Set();

        (await sending).Answer.Status.ShouldBeOneOf(HttpStatusCode.Created, HttpStatusCode.OK);
        await Task.WhenAll(others);
        isHashed.ShouldBeFalse();
        hasher.Started.IsCompleted.ShouldBeTrue();
    }

    [Fact]
    public async Task A_keyed_list_of_a_thousand_users_that_is_sent_twice_at_once_creates_them_once()
    {
        // The deployed servers end a transaction that is idle for a minute; real hashes take longer than these too.
        var limited = $"{app.Database.Commands};Options=-c idle_in_transaction_session_timeout=10s";
        // The hashes of one list take twelve seconds in all.
        using var hasher = new HeldHasher(TimeSpan.FromMilliseconds(12 * HashingLimit.Cores));
        await using var api = Start(limited, services => services.AddSingleton<IPasswordHasher<User>>(hasher));
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        http.Timeout = TimeSpan.FromMinutes(5);
        var (key, mark) = (Guid.NewGuid().ToString(), Guid.NewGuid().ToString("N"));
        var users = Enumerable.Range(0, 1_000)
            .Select(i => new { email = $"{i}@{mark}.example", firstName = "A", lastName = "B", password = "12345678" })
            .ToArray();

        var answers = await Task.WhenAll(
            http.SendKeyedAsync(key, HttpMethod.Post, "/users/bulk", users),
            http.SendKeyedAsync(key, HttpMethod.Post, "/users/bulk", users));

        var first = answers.Single(one => one.Answer.Status == HttpStatusCode.Created && !one.Replayed);
        var second = answers.Single(one => one != first);
        if (!second.Replayed)
            second.Answer.ShouldBeProblem(HttpStatusCode.Conflict, "idempotency.in_progress");
        (await http.SendKeyedAsync(key, HttpMethod.Post, "/users/bulk", users)).ShouldRepeat(first);
        (await app.CountAsync($"users WHERE email LIKE '%{mark}%'")).ShouldBe(1_000);
        (await app.CountAsync($"outbox WHERE data->>'email' LIKE '%{mark}%'")).ShouldBe(1_000);
    }

    private static WebApplicationFactory<Program> Start(string database, Action<IServiceCollection> configure)
    {
        var factory = CommandsApp.Start(database)
            .WithWebHostBuilder(host => host.ConfigureServices(configure));
        factory.UseKestrel();
        return factory;
    }

    private static Task<KeyedResponse> SendAsync(HttpClient http, string method, string path, int id)
    {
        var email = $"{Guid.NewGuid():N}@example.com";
        var user = new { email, firstName = "A", lastName = "B", password = "12345678" };
        object body = (method, path) switch
        {
            ("PUT", "/users/bulk") => new[] { new { id, user.email, user.firstName, user.lastName, user.password } },
            (_, "/users/bulk") => new[] { user },
            _ => user,
        };
        return http.SendKeyedAsync(
            Guid.NewGuid().ToString(), HttpMethod.Parse(method), string.Format(null, path, id), body);
    }

    private Task<long> OpenTransactionsAsync() => app.ScalarAsync<long>(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'commands' "
        + "AND state = 'idle in transaction'");

    /// <summary>Waits in each hash until the test releases it, or for a time.</summary>
    private sealed class HeldHasher(TimeSpan limit) : IPasswordHasher<User>, IDisposable
    {
        private readonly TaskCompletionSource started = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim released = new();

        public Task Started => started.Task;

        public void Release() => released.Set();

        public string HashPassword(User user, string password)
        {
            started.TrySetResult();
            released.Wait(limit);
            return "hash";
        }

        public PasswordVerificationResult VerifyHashedPassword(
            User user, string hashedPassword, string providedPassword) => throw new NotSupportedException();

        public void Dispose() => released.Dispose();
    }
}
