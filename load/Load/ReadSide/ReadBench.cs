using System.Globalization;
using ApexShop.Caching;
using ApexShop.Projector.Documents;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// A read schema with generated products, and the processes that are measured on it; disposing removes all of it.
/// </summary>
internal sealed class ReadBench : IAsyncDisposable
{
    /// <summary>The number of products of the seeded shop.</summary>
    public const int Products = 15_000;

    /// <summary>The size of a document of the seeded shop.</summary>
    public const int BodyLength = 390;

    // Texts of the same length make all documents equally long, so that a response is checked by its length.
    private static readonly string body = string.Create(
        CultureInfo.InvariantCulture,
        $"convert_to(rpad('{{\"id\":' || i || ',\"name\":\"Product\",\"version\":1,\"description\":\"', "
        + $"{BodyLength - 2}, 'sturdy, light ') || '\"}}', 'UTF8')");

    private readonly TestDatabase database;
    private readonly List<IAsyncDisposable> processes = [];

    private ReadBench(TestDatabase database) => this.database = database;

    /// <summary>The connection string of Queries.Api, without the settings of its pool.</summary>
    public string ConnectionString => database.Queries;

    /// <summary>The superuser's connection, for the benchmark's own queries.</summary>
    public string Superuser => database.Superuser;

    public static async Task<ReadBench> StartAsync(int products, CancellationToken ct)
    {
        var bench = new ReadBench(
            await TestDatabase.CreateAsync("bench_read", db => ReadSchema.MigrateAsync(db.Projector, ct)));
        try
        {
            await GeneratedRows.MakeAsync(bench.database.Projector, "products", products, body);
            return bench;
        }
        catch
        {
            await bench.DisposeAsync();
            throw;
        }
    }

    /// <summary>Queries.Api as in production, with or without its response cache.</summary>
    public async Task<ShopProcess> QueriesAsync(bool isCached)
    {
        var process = Queries(isCached);
        await process.StartAsync();
        return process;
    }

    /// <summary>The same process, not started yet.</summary>
    public ShopProcess Queries(bool isCached)
    {
        var settings = new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = ConnectionString,
            ["ConnectionStrings__Redis"] = Servers.Redis,
            ["Caching__Prefix"] = $"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:",
            ["Reading__CursorKey"] = TestKeys.Cursors,
            ["Logging__LogLevel__Default"] = "Warning",
            // Requests are counted as in production; no limit is reached.
            ["Limits__AnonymousRate__Requests"] = "1000000",
            ["Limits__AnonymousRate__Burst"] = "10000000",
        };
        if (!isCached) settings["Caching__DocumentMegabytes"] = settings["Caching__AnswerMegabytes"] = "0";
        TestKeys.AddTo(settings);
        var process = new ShopProcess(ShopPrograms.Queries, isCached ? "queries" : "queries without a cache", settings);
        processes.Add(process);
        return process;
    }

    /// <summary>The control: another process that serves the response from Kestrel alone.</summary>
    public async Task<ControlProcess> BareAsync(string path, byte[] response)
    {
        var process = new ControlProcess((path, response));
        processes.Add(process);
        await process.StartAsync();
        return process;
    }

    /// <summary>The value in the first row's first column.</summary>
    public async Task<T> AskAsync<T>(string sql, CancellationToken ct)
    {
        await using var connection = new NpgsqlConnection(Superuser);
        await connection.OpenAsync(ct);
        await using var command = new NpgsqlCommand(sql, connection);
        return (T)(await command.ExecuteScalarAsync(ct))!;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var process in processes) await process.DisposeAsync();
        await database.DisposeAsync();
    }
}
