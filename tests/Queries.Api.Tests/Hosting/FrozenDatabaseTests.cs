using System.Diagnostics;
using System.Net;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Hosting;

/// <summary>
/// A PostgreSQL that accepts connections and does not respond: SIGSTOP, and a lock for running statements.
/// </summary>
[Collection(nameof(Measured))]
public sealed class FrozenDatabaseTests
{
    private const int Lists = 32;

    // Also on a machine that pauses. Blocked threads delay a request for longer: each waits five seconds for a new
    // connection, and one more begins in each half of a second.
    private static readonly TimeSpan quick = TimeSpan.FromSeconds(5);

    [Fact]
    public async Task Cancelled_lists_block_no_thread()
    {
        await using var server = await PrivatePostgres.StartAsync();
        await using var database = await DocumentSeeder.CreateDatabaseAsync(server.Superuser);
        var documents = new DocumentSeeder(database);
        await documents.PutAsync("products", [1, 2, 3], id => Documents.Body("products", id));
        await using var app = new QueriesApp(database.Queries).With("Reading:StatementSeconds", 3);
        using var http = app.CreateClient();
        await using var locked = await documents.LockAsync("read.products");

        using var gone = new CancellationTokenSource();
        for (var id = 1; id <= Lists - 2; id++)
            _ = http.GetAsync($"products/cursor?sort=price&afterId={id}", gone.Token);
        _ = http.GetAsync("products/1", CancellationToken.None);
        await Eventually.Holds(async () => (await WaitingAsync(database)).Count == Lists - 1, "all statements run");
        await server.Node.SignalAsync("STOP");
        try
        {
            await gone.CancelAsync();
            var slowest = TimeSpan.Zero;
            for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(8);)
            {
                var time = Stopwatch.StartNew();
                (await http.GetAsync("health/live")).StatusCode.ShouldBe(HttpStatusCode.OK);
                _ = http.GetAsync("health/ready", CancellationToken.None);
                if (time.Elapsed > slowest) slowest = time.Elapsed;
                await Task.Delay(100);
            }

            slowest.ShouldBeLessThan(quick);
        }
        finally
        {
            await server.Node.SignalAsync("CONT");
        }

        await locked.DisposeAsync();
        await Eventually.Holds(
            async () => (await http.GetAsync("products/1")).IsSuccessStatusCode, "the database is read again");
    }

    /// <summary>PostgreSQL's timer of a statement runs while PostgreSQL is stopped, and ends it afterwards.</summary>
    [Fact]
    public async Task A_search_that_a_stopped_database_delayed_is_not_too_expensive()
    {
        await using var server = await PrivatePostgres.StartAsync();
        await using var database = await DocumentSeeder.CreateDatabaseAsync(server.Superuser);
        var documents = new DocumentSeeder(database);
        await documents.PutAsync("products", [1, 2, 3], id => Documents.Body("products", id));
        await using var app = new QueriesApp(database.Queries).With("Reading:SearchSeconds", 6);
        using var http = app.CreateClient();
        await using var locked = await documents.LockAsync("read.product_words");

        string[] paths = ["products/v2?q=chair", "products/cursor?q=table"];
        Task<HttpResponseMessage>[] searches = [.. paths.Select(path => http.GetAsync(path))];
        List<int> processes = [];
        await Eventually.Holds(
            async () => (processes = await WaitingAsync(database)).Count == 2, "the searches run");
        await SignalAsync("STOP", processes);
        // Longer than the time limit and its tolerance.
        await Task.Delay(TimeSpan.FromSeconds(7.5));
        await SignalAsync("CONT", processes);

        foreach (var late in await Task.WhenAll(searches))
            await late.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");
        using var expensive = await app.SearchAsync(http, paths[0]);
        await expensive.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
    }

    // The processes of PostgreSQL that wait for the lock.
    private static async Task<List<int>> WaitingAsync(TestDatabase database)
    {
        await using var superuser = new NpgsqlConnection(database.Superuser);
        await superuser.OpenAsync();
        await using var waiting = new NpgsqlCommand(
            "SELECT pid FROM pg_stat_activity WHERE usename = 'queries' AND wait_event_type = 'Lock'", superuser);
        await using var rows = await waiting.ExecuteReaderAsync();
        var processes = new List<int>();
        while (await rows.ReadAsync()) processes.Add(rows.GetInt32(0));
        return processes;
    }

    private static async Task SignalAsync(string signal, List<int> processes)
    {
        using var kill = Process.Start("sh", ["-c", $"kill -{signal} {string.Join(' ', processes)}"]);
        await kill.WaitForExitAsync();
        kill.ExitCode.ShouldBe(0);
    }
}
