using System.Net;
using System.Text.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Hosting;

public sealed class FailureTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    private static readonly string[] paths =
    [
        "products/1", "products", "products/v2", "products/v2?q=chair", "products/cursor", "products/stream",
        "products/export/ndjson",
    ];

    [Theory]
    [InlineData("Host=127.0.0.1;Port=1;Username=queries;Password=secret;Database=shop")]
    [InlineData("Host=no-such-host.invalid;Username=queries;Password=secret;Database=shop")]
    public async Task An_unavailable_database_is_503_with_Retry_After(string connectionString)
    {
        await using var app = new QueriesApp(connectionString);
        using var http = app.CreateClient();
        foreach (var path in paths)
        {
            using var answer = await http.GetAsync(path);
            await answer.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");
            answer.Headers.RetryAfter.ShouldNotBeNull();
        }

        using var ready = await http.GetAsync("health/ready");
        ready.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        var checks = JsonElement.Parse(await ready.Content.ReadAsStringAsync());
        checks.GetProperty("status").GetString().ShouldBe("not ready");
        checks.GetProperty("checks").GetProperty("postgres").GetString().ShouldBe("unavailable");
        (await http.GetAsync("health/live")).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_pool_without_a_free_connection_is_503()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .With("Reading:Connections", 1)
            .With("Reading:WaitSeconds", 1);
        using var http = app.CreateClient();
        // A first connection may take longer than a second.
        await app.OpenAsync(http, "products/1");
        await using var locked = await shop.LockAsync("read.products");

        // Two documents would share one statement.
        Task<HttpResponseMessage>[] both = [http.GetAsync("products/1"), http.GetAsync("products/cursor")];
        using var refused = await await Task.WhenAny(both);
        await locked.DisposeAsync();

        await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");
        (await Task.WhenAll(both)).Count(answer => answer.IsSuccessStatusCode).ShouldBe(1);
    }

    [Fact]
    public async Task The_process_is_ready_while_waiting_pages_use_every_connection()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Reading:Connections", 1);
        using var http = app.CreateClient();
        await using var locked = await shop.LockAsync("read.products");
        var waiting = http.GetAsync("products/cursor");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the page waits");

        await Eventually.Holds(
            async () => (await http.GetAsync("health/ready")).IsSuccessStatusCode, "the process is ready");

        await locked.DisposeAsync();
        (await waiting).EnsureSuccessStatusCode();
    }

    [Fact]
    public async Task An_unexpected_failure_is_500_and_reveals_nothing()
    {
        await shop.ExecuteAsync("ALTER TABLE read.products RENAME TO away");
        try
        {
            foreach (var path in paths)
            {
                using var answer = await shop.Http.GetAsync(path);
                await answer.ShouldBeProblemAsync(HttpStatusCode.InternalServerError, "internal");
                answer.Headers.ETag.ShouldBeNull();
            }
        }
        finally
        {
            await shop.ExecuteAsync("ALTER TABLE read.away RENAME TO products");
        }
    }

    [Fact]
    public async Task Connections_that_the_server_closed_are_replaced()
    {
        (await shop.Http.GetAsync("products/1")).EnsureSuccessStatusCode();
        await using var superuser = new NpgsqlConnection(shop.Database.Superuser);
        await superuser.OpenAsync();
        await using var kill = new NpgsqlCommand(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'queries'
            """,
            superuser);
        await kill.ExecuteNonQueryAsync();

        await Eventually.Holds(async () =>
            (await shop.Http.GetAsync("products/1")).IsSuccessStatusCode, "the next requests open new connections");
    }

    [Fact]
    public async Task Health_needs_no_key_and_names_each_dependency()
    {
        using var http = shop.App.CreateClient();
        await Eventually.Holds(
            async () => await (await http.GetAsync("health/ready")).Content.ReadAsStringAsync()
                == """{"status":"ready","checks":{"postgres":"ok","redis":"ok","cacheTags":"ok"}}""",
            "the process hears of every change");
        (await http.GetStringAsync("health/live")).ShouldBe("""{"status":"live"}""");
    }

    [Theory]
    [InlineData("")]
    [InlineData("too short")]
    [InlineData("dG9vIHNob3J0")]
    public void A_process_without_a_key_for_its_cursors_does_not_start(string key) =>
        StartupFailure.MessageOf(() => Start(new QueriesApp(shop.Database.Queries).With("Reading:CursorKey", key)))
            .ShouldContain("CursorKey");

    [Theory]
    [InlineData("Production", "")]
    [InlineData("Development", "")]
    [InlineData("Production", "dG9vIHNob3J0")]
    public void A_process_without_a_key_for_consistency_tokens_does_not_start(string environment, string key)
    {
        var app = new QueriesApp(shop.Database.Queries) { Environment = environment }.With("Consistency:Key", key);

        StartupFailure.MessageOf(() => Start(app)).ShouldContain("TokenOptions.Key");
    }

    [Fact]
    public void A_process_without_its_connection_string_does_not_start() =>
        StartupFailure.MessageOf(() => Start(new QueriesApp(""))).ShouldContain("ConnectionString");

    private static void Start(QueriesApp app)
    {
        using (app) app.StartServer();
    }
}
