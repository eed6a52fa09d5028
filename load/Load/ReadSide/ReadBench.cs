using System.Globalization;
using ApexShop.Caching;
using ApexShop.Projector.Documents;
using ApexShop.TestKit;
using Npgsql;
using ReadDatabase = ApexShop.Queries.Api.Reading.ReadDatabase;

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

    /// <summary>Queries.Api as in production but for the memory of its caches.</summary>
    public async Task<ShopProcess> QueriesAsync(CacheSize size)
    {
        var process = Queries(size);
        await process.StartAsync();
        return process;
    }

    /// <summary>The same process, not started yet.</summary>
    public ShopProcess Queries(CacheSize size)
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
        if (size != CacheSize.Usual)
        {
            var megabytes = size == CacheSize.None ? "0" : "1";
            settings["Caching__DocumentMegabytes"] = megabytes;
            settings["Caching__ResponseMegabytes"] = megabytes;
        }

        if (size == CacheSize.TooSmall) settings["Caching__RedisSeconds"] = "1";

        TestKeys.AddTo(settings);
        var process = new ShopProcess(ShopPrograms.Queries, $"queries, cache {size}", settings);
        processes.Add(process);
        return process;
    }

    /// <summary>
    /// The control: another process that sends the response from Kestrel alone, or from the framework's output cache,
    /// which no change invalidates.
    /// </summary>
    public async Task<ControlProcess> BareAsync(
        string path, byte[] response, IReadOnlyList<string> headers, bool isOutputCached)
    {
        var process = await StartedAsync(
            new ControlProcess(null, isOutputCached, headers, (path.Split('?')[0], response)));
        using var http = new HttpClient();
        // From its second response on the cache sends an age.
        await http.GetByteArrayAsync(new Uri(process.Url, path));
        return process;
    }

    /// <summary>The control that reads the document of each request, in the sessions that Queries.Api has.</summary>
    public Task<ControlProcess> BareReaderAsync() => StartedAsync(new ControlProcess(
        $"{ConnectionString};No Reset On Close=true;Max Auto Prepare=20;Auto Prepare Min Usages=1;"
        + $"Options={ReadDatabase.ScanSettings}"));

    /// <summary>Makes all but one product in twenty inactive, and all but another one in twenty sold out.</summary>
    public async Task SkewAsync(CancellationToken ct)
    {
        await using var connection = new NpgsqlConnection(Superuser);
        await connection.OpenAsync(ct);
        foreach (var sql in (string[])[
            "UPDATE read.products SET is_active = id % 20 = 0, stock = CASE id % 20 WHEN 1 THEN 5 ELSE 0 END",
            "VACUUM ANALYZE read.products",
        ])
        {
            await using var command = new NpgsqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync(ct);
        }
    }

    /// <summary>Runs a statement as the owner of the documents, however long it takes.</summary>
    public async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var connection = new NpgsqlConnection(database.Projector);
        await connection.OpenAsync(ct);
        await using var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 0 };
        await command.ExecuteNonQueryAsync(ct);
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

    private async Task<ControlProcess> StartedAsync(ControlProcess process)
    {
        processes.Add(process);
        await process.StartAsync();
        return process;
    }
}
