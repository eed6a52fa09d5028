using System.Globalization;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The connection pools of pages and documents, and of searches: however many searches run, a page or a document still
/// finds a connection.
/// </summary>
internal sealed class ReadDatabase(IOptions<ReadingOptions> reading) : IAsyncDisposable
{
    // Many requests run concurrently; none is worth JIT compilation or several workers.
    private const string EverySession = "-c jit=off -c max_parallel_workers_per_gather=0";

    // Every statement here scans one index and stops. A plan that was made while a table was small, or before its first
    // ANALYZE, would sort instead, and a generic plan is kept.
    internal const string ScanSettings = $"{EverySession} -c enable_seqscan=off -c enable_bitmapscan=off"
        + " -c enable_sort=off -c plan_cache_mode=force_generic_plan";

    // A merge join by id would begin at the first id of a table, wherever the page begins. The plan depends on the
    // values, so it is made with them each time.
    internal const string SearchSettings =
        $"{EverySession} -c enable_mergejoin=off -c plan_cache_mode=force_custom_plan";

    /// <summary>Longer than PostgreSQL lets a search run, or its caller waits for it.</summary>
    internal const int SearchesLimitSeconds = 30;

    public NpgsqlDataSource Pages { get; } = Open(
        reading.Value,
        reading.Value.ConnectionString,
        "pages",
        reading.Value.Connections,
        reading.Value.GatheredSeconds,
        ScanSettings);

    public NpgsqlDataSource Searches { get; } = Open(
        reading.Value,
        reading.Value.ConnectionString,
        "searches",
        reading.Value.SearchConnections,
        SearchesLimitSeconds,
        string.Create(
            CultureInfo.InvariantCulture, $"{SearchSettings} -c statement_timeout={reading.Value.SearchSeconds}s"));

    public async ValueTask DisposeAsync()
    {
        await Pages.DisposeAsync();
        await Searches.DisposeAsync();
    }

    /// <summary>Opens a pool.</summary>
    internal static NpgsqlDataSource Open(
        ReadingOptions options,
        string connectionString,
        string pool,
        int connections,
        int limitSeconds,
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
        connection.Timeout = options.WaitSeconds;
        // Per connection, since a time limit of a single command would cost four system calls a statement.
        connection.CommandTimeout = limitSeconds;
        connection.Options = $"{connection.Options} {settings}".TrimStart();
        return builder.Build();
    }
}
