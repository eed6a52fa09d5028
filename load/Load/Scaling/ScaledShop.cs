using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using ApexShop.Load.Rebuilding;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.Scaling;

/// <summary>
/// A whole shop of a size: its rows and its log are written straight into the tables, its documents by a rebuild.
/// </summary>
internal sealed class ScaledShop : IAsyncDisposable
{
    // What a request costs, and not what a cache spares.
    private static readonly Dictionary<string, string> settings = new()
    {
        ["Caching__DocumentMegabytes"] = "0",
        ["Caching__ResponseMegabytes"] = "0",
        // The rebuild begins when the memory before it is known.
        ["Rebuilding__AfterRestore"] = "false",
        ["Logging__LogLevel__Default"] = "Warning",
    };

    private readonly TestKit.Shop shop;
    private readonly NpgsqlDataSource database;

    private ScaledShop(TestKit.Shop shop, ScaledRows rows)
    {
        (this.shop, Rows) = (shop, rows);
        database = NpgsqlDataSource.Create(shop.Database.Superuser + ";Command Timeout=0");
    }

    public ScaledRows Rows { get; }

    public ShopProcess Commands => shop.Commands;

    public ShopProcess Queries => shop.Queries;

    public ShopProcess Projector => shop.Projector;

    /// <summary>The duration of the rebuild that made the documents.</summary>
    public double RebuildSeconds { get; private set; }

    /// <summary>How much memory the Projector took for it above that after its start, in megabytes.</summary>
    public double RebuildMegabytes { get; private set; }

    /// <summary>Words of 10 to 30 names, of about 0.2 %, and of 2 to 10 % of all names.</summary>
    public (string[] Rare, string[] Frequent, string[] Common) Words { get; private set; }

    /// <summary>Some categories of about 1,000 products, each with the last product that it has.</summary>
    public (int Category, int Product)[] LastProducts { get; private set; } = [];

    public static async Task<ScaledShop> StartAsync(ScaledRows rows, TextWriter progress, CancellationToken ct)
    {
        var scaled = new ScaledShop(await TestKit.Shop.StartAsync(settings: settings), rows);
        try
        {
            foreach (var process in scaled.Processes()) await process.KillAsync();
            await scaled.FillAsync(progress, ct);
            foreach (var process in scaled.Processes()) await process.StartAsync();
            var memory = new ResidentMemory(scaled.Projector);
            var status = await RebuildBench.RebuildAsync(scaled.Commands.Http, ct);
            (scaled.RebuildSeconds, scaled.RebuildMegabytes) = (status.Seconds, memory.Above());
            await progress.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"  documents: {status.Documents.Values.Sum(kind => kind.Done):N0} in {status.Seconds:0.0} s"));
            await scaled.ExecuteAsync("VACUUM ANALYZE", ct);
            await scaled.ChooseAsync(ct);
            return scaled;
        }
        catch
        {
            await scaled.DisposeAsync();
            throw;
        }
    }

    /// <summary>The value in the first row's first column.</summary>
    public async Task<T> AskAsync<T>(string sql, CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        return (T)(await command.ExecuteScalarAsync(ct))!;
    }

    /// <summary>Copies the rows that a rebuild writes; the duration in seconds.</summary>
    public Task<double> CopyAsync(CancellationToken ct) => new BareCopy(database).TakeAsync(ct);

    /// <summary>
    /// Compares all documents, which must not differ; the duration in seconds, and how much memory it took above that
    /// before, in megabytes.
    /// </summary>
    public async Task<(double Seconds, double Commands, double Projector)> AuditAsync(CancellationToken ct)
    {
        var (commands, projector) = (new ResidentMemory(Commands), new ResidentMemory(Projector));
        using var request = new HttpRequestMessage(HttpMethod.Post, "/admin/audit");
        using var response = await Commands.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
        using var lines = new StreamReader(await response.EnsureSuccessStatusCode().Content.ReadAsStreamAsync(ct));
        JsonElement last = default;
        while (await lines.ReadLineAsync(ct) is { } line) last = JsonDocument.Parse(line).RootElement;
        if (last.GetProperty("kind").GetString() != "summary" || last.GetProperty("different").GetInt64() > 0
            || last.GetProperty("notCompared").GetInt64() > 0)
            throw new InvalidOperationException($"The audit ended with {last}");
        return (last.GetProperty("seconds").GetDouble(), commands.Above(), projector.Above());
    }

    /// <summary>Kills a process and starts it again; the seconds from the start until it is ready.</summary>
    public static async Task<double> RestartAsync(ShopProcess process)
    {
        await process.KillAsync();
        var began = Stopwatch.GetTimestamp();
        await process.StartAsync();
        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }

    public async ValueTask DisposeAsync()
    {
        await database.DisposeAsync();
        await shop.DisposeAsync();
    }

    private ShopProcess[] Processes() => [Commands, Projector, Queries];

    private async Task FillAsync(TextWriter progress, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        // Foreign keys hold by construction; most indexes are made at the end.
        await ExecuteAsync(connection, $"""
            SET session_replication_role = replica;
            SET maintenance_work_mem = '1GB';
            SET work_mem = '256MB';
            {DroppedIndexes.Of(Resource.Names.Append("events").Select(table => $"shop.{table}"))}
            """, ct);
        foreach (var (what, sql) in Rows.Statements().Concat(ScaledLog.Statements())
            .Append(("indexes", DroppedIndexes.MakeAgain)))
        {
            var began = Stopwatch.GetTimestamp();
            await ExecuteAsync(connection, sql, ct);
            await progress.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture, $"  {what}: {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s"));
        }

        await ExecuteAsync(connection, "VACUUM ANALYZE", ct);
    }

    private async Task ChooseAsync(CancellationToken ct)
    {
        Task<string[]> WordsAsync(int from, int to) => AskAsync<string[]>(
            "SELECT array_agg(word) FROM (SELECT word FROM read.name_word_counts "
            + $"WHERE products BETWEEN {from} AND {to} ORDER BY md5(word) LIMIT 500) s",
            ct);
        Words = (
            await WordsAsync(10, 30),
            await WordsAsync(Rows.Products / 1_000, Rows.Products / 300),
            await WordsAsync(Rows.Products / 50, Rows.Products / 10));
        var last = await AskAsync<int[]>(
            "SELECT coalesce(array_agg(last ORDER BY category_id), '{}') FROM (SELECT category_id, max(id) AS last "
            + $"FROM shop.products WHERE category_id BETWEEN {ScaledRows.Busiest + 1} AND 100 GROUP BY 1) s",
            ct);
        LastProducts = [.. last.Select((product, index) => (ScaledRows.Busiest + 1 + index, product))];
    }

    private async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await ExecuteAsync(connection, sql, ct);
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(ct);
    }
}
