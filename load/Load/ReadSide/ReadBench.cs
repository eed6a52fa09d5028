using ApexShop.Caching;
using ApexShop.Projector.Documents;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// A read schema of its own with made products, and the processes that are measured on it; all of it goes away with it.
/// </summary>
internal sealed class ReadBench : IAsyncDisposable
{
    /// <summary>As many as the seeded shop has.</summary>
    public const int Products = 15_000;

    /// <summary>What a document of the seeded shop has.</summary>
    public const int BodyLength = 390;

    // Text that is all the same length makes all documents equally long: their answers can be told by their bytes.
    private static readonly string body = FormattableString.Invariant(
        $"convert_to(rpad('{{\"id\":' || i || ',\"name\":\"Product\",\"version\":1,\"description\":\"', {BodyLength - 2}, 'sturdy, light ') || '\"}}', 'UTF8')");

    private readonly TestDatabase database;
    private readonly List<IAsyncDisposable> processes = [];

    private ReadBench(TestDatabase database) => this.database = database;

    /// <summary>The connection that Queries.Api gets, without its pool's own settings.</summary>
    public string ConnectionString => database.Queries;

    /// <summary>The superuser's connection, for questions that only the benchmark asks.</summary>
    public string Superuser => database.Superuser;

    public static async Task<ReadBench> StartAsync(int products, CancellationToken ct)
    {
        var bench = new ReadBench(await TestDatabase.CreateAsync("bench_read", db => ReadSchema.MigrateAsync(db.Projector, ct)));
        try
        {
            await MadeRows.MakeAsync(bench.database.Projector, "products", products, body);
            return bench;
        }
        catch
        {
            await bench.DisposeAsync();
            throw;
        }
    }

    /// <summary>Queries.Api as production has it, with its memory for answers or without.</summary>
    public async Task<ShopProcess> QueriesAsync(bool isCached)
    {
        var process = Queries(isCached);
        await process.StartAsync();
        return process;
    }

    /// <summary>The same, not started yet.</summary>
    public ShopProcess Queries(bool isCached)
    {
        var settings = new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = ConnectionString,
            ["ConnectionStrings__Redis"] = Servers.Redis,
            ["Caching__Prefix"] = $"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:",
            ["Reading__CursorKey"] = TestKeys.Cursors,
            ["Logging__LogLevel__Default"] = "Warning",
            // Counted as in production, and refused to nobody.
            ["Limits__AnonymousRate__Requests"] = "1000000",
            ["Limits__AnonymousRate__Burst"] = "10000000",
        };
        if (!isCached) settings["Caching__DocumentMegabytes"] = settings["Caching__AnswerMegabytes"] = "0";
        TestKeys.AddTo(settings);
        var process = new ShopProcess(ShopPrograms.Queries, isCached ? "queries" : "queries without a cache", settings);
        processes.Add(process);
        return process;
    }

    /// <summary>The control: the answer of another process, from Kestrel and nothing else.</summary>
    public async Task<BareProcess> BareAsync(string path, byte[] answer)
    {
        var process = new BareProcess((path, answer));
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
