using System.Data.Common;
using System.Globalization;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The connection pools of pages and documents, and of each resource's deep numbered pages, walks and searches: however
/// many of the others are read, a document, an ordinary page and another resource's list still find a connection.
/// </summary>
internal sealed class ReadDatabase(IOptions<ReadingOptions> reading) : IAsyncDisposable
{
    // Many requests run concurrently; none is worth JIT compilation or several workers. PostgreSQL ends the session of
    // a process that hangs while it reads segments, and so its snapshot.
    private const string EverySession = "-c jit=off -c max_parallel_workers_per_gather=0"
        + " -c idle_in_transaction_session_timeout=60s";

    // Every statement here scans one index and stops. A plan that was made while a table was small, or before its first
    // ANALYZE, would sort instead, and a generic plan is kept.
    internal const string ScanSettings = $"{EverySession} -c enable_seqscan=off -c enable_bitmapscan=off"
        + " -c enable_sort=off -c enable_incremental_sort=off -c plan_cache_mode=force_generic_plan";

    // A merge join by id would begin at the first id of a table, wherever the page begins. The plan depends on the
    // values, so it is made with them each time.
    internal const string SearchSettings =
        $"{EverySession} -c enable_mergejoin=off -c plan_cache_mode=force_custom_plan";

    /// <summary>How long PostgreSQL lets a search of a stream run: its caller does not wait for a page.</summary>
    internal const int StreamedSearchSeconds = 30;

    /// <summary>
    /// Longer than PostgreSQL lets any search run, so that its own error shows that it took too long.
    /// </summary>
    internal static readonly TimeSpan LongestStatement = TimeSpan.FromSeconds(StreamedSearchSeconds + 5);

    /// <summary>How long a read waits for a connection.</summary>
    public TimeSpan LongestWait { get; } = TimeSpan.FromSeconds(reading.Value.WaitSeconds);

    public NpgsqlDataSource Pages { get; } = Open(
        reading.Value.ConnectionString,
        "pages",
        reading.Value.Connections,
        reading.Value.WaitSeconds,
        ScanSettings);

    /// <summary>
    /// By resource, numbered pages before which many rows are skipped: each takes milliseconds of a processor, so few
    /// are read at a time, with a pause after each.
    /// </summary>
    public IReadOnlyDictionary<string, SearchPool> DeepPages { get; } =
        OpenPools(reading.Value, "deep-pages", reading.Value.DeepPageConnections, ScanSettings, isPaced: true);

    /// <summary>By resource, apart from the searches, so that a walk does not wait for them.</summary>
    public IReadOnlyDictionary<string, SearchPool> Walks { get; } =
        OpenPools(reading.Value, "walks", reading.Value.WalkConnections, ScanSettings);

    /// <summary>By resource, so that the searches of one resource take no connection of another one's.</summary>
    public IReadOnlyDictionary<string, SearchPool> Searches { get; } =
        OpenPools(reading.Value, "searches", reading.Value.SearchConnections, SearchSettings);

    // They are not disposed of, for the same reason as the places of a search pool.
    private readonly SemaphoreSlim facetsOfPart = new(1);
    private readonly SemaphoreSlim facetsOfAll = new(1);

    /// <summary>
    /// The turn to count facets. They read all rows of their list, so one list of a category is counted at a time and
    /// one of all categories, which may take much longer; searches keep the other connections, if there are any.
    /// </summary>
    public SemaphoreSlim FacetTurn(ListQuery list) =>
        list.Filters.Any(one => one.Condition.EqualColumn is not null) ? facetsOfPart : facetsOfAll;

    /// <summary>
    /// Runs a read of a list: a short scan on the connections of pages, all others on those of searches.
    /// </summary>
    public Task<T> RunAsync<T>(ListQuery list, Func<NpgsqlDataSource, Task<T>> read, CancellationToken ct) =>
        list.IsShortScan ? read(Pages) : Searches[list.Resource.Name].RunAsync(read, ct);

    /// <summary>The session setting with which PostgreSQL itself cancels a statement that takes longer.</summary>
    internal static string TimeLimit(int seconds) =>
        string.Create(CultureInfo.InvariantCulture, $"-c statement_timeout={seconds}s");

    public async ValueTask DisposeAsync()
    {
        await Pages.DisposeAsync();
        foreach (var pools in (IReadOnlyDictionary<string, SearchPool>[])[DeepPages, Walks, Searches])
        {
            foreach (var pool in pools.Values) await pool.DisposeAsync();
        }
    }

    private static Dictionary<string, SearchPool> OpenPools(
        ReadingOptions reading, string kind, int connections, string settings, bool isPaced = false)
    {
        var limited = $"{settings} {TimeLimit(reading.SearchSeconds)}";
        return ReadModel.All.ToDictionary(
            resource => resource.Name,
            resource => new SearchPool(
                Open(
                    reading.ConnectionString, $"{resource.Name}-{kind}", connections, reading.WaitSeconds, limited),
                connections,
                reading,
                isPaced));
    }

    /// <summary>Opens a pool.</summary>
    internal static NpgsqlDataSource Open(
        string connectionString,
        string pool,
        int connections,
        int waitSeconds,
        string settings)
    {
        var builder = new NpgsqlSlimDataSourceBuilder(connectionString) { Name = pool };
        builder.EnableArrays();
        var connection = builder.ConnectionStringBuilder;
        connection.ApplicationName = $"apexshop-queries-{pool}";
        connection.MaxPoolSize = connections;
        // No statement leaves state in its session, and resetting it costs more than most statements.
        connection.NoResetOnClose = true;
        connection.MaxAutoPrepare = 200;
        connection.AutoPrepareMinUsages = 1;
        connection.Timeout = Math.Min(ConnectSeconds(connectionString) ?? waitSeconds, waitSeconds);
        // Npgsql would cancel the statement on a thread of the pool and block it; see DelayedCancellation.
        connection.CommandTimeout = 0;
        connection.Options = $"{connection.Options} {settings}".TrimStart();
        return builder.Build();
    }

    /// <summary>Opens a pool of one connection, for what no other read may wait for or keep waiting.</summary>
    internal static NpgsqlDataSource OpenSingle(string connectionString, string pool, int waitSeconds)
    {
        // A statement that takes too long ends with its connection, and the next one opens another: to cancel it would
        // block a thread.
        var connection = new NpgsqlConnectionStringBuilder(connectionString) { CancellationTimeout = -1 };
        return Open(connection.ConnectionString, pool, 1, waitSeconds, ScanSettings);
    }

    // A cluster's connection string has a short time, because each host may be the one that is silent.
    private static int? ConnectSeconds(string connectionString)
    {
        var given = new DbConnectionStringBuilder { ConnectionString = connectionString };
        return given.TryGetValue("Timeout", out var seconds)
            ? int.Parse((string)seconds, CultureInfo.InvariantCulture)
            : null;
    }
}
