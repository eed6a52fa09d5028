using System.Globalization;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The ways to the read schema, each a pool of its own: however many downloads and searches run, a page or a document
/// still finds a connection.
/// </summary>
internal sealed class ReadDatabase(IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
    : IAsyncDisposable
{
    // Many requests run side by side; none is worth compiling or several workers.
    private const string Alone = "-c jit=off -c max_parallel_workers_per_gather=0";

    // Every statement here walks one index and stops. A plan that was made while a table was small, or before its
    // first ANALYZE, would sort it instead, and it is kept.
    internal const string Walking =
        $"{Alone} -c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c plan_cache_mode=force_generic_plan";

    // A merge of two tables by id would begin at the first id of one of them, wherever the page begins. The plan depends
    // on the values, and is made with them each time.
    internal const string Free = $"{Alone} -c enable_mergejoin=off -c plan_cache_mode=force_custom_plan";

    // Longer than a statement of these is let go on by the database or by whoever waits for it.
    private const int SearchesLimitSeconds = 30;

    public NpgsqlDataSource Pages { get; } = Open(
        reading.Value, reading.Value.ConnectionString, "pages", reading.Value.Connections, reading.Value.GatheredSeconds, Walking);

    public NpgsqlDataSource Searches { get; } = Open(
        reading.Value,
        reading.Value.ConnectionString,
        "searches",
        reading.Value.SearchConnections,
        SearchesLimitSeconds,
        string.Create(CultureInfo.InvariantCulture, $"{Free} -c statement_timeout={reading.Value.SearchSeconds}s"));

    public NpgsqlDataSource Streams { get; } = Open(
        reading.Value, StreamedFrom(reading.Value), "streams", streaming.Value.Connections, reading.Value.GatheredSeconds, Walking);

    public NpgsqlDataSource StreamedSearches { get; } = Open(
        reading.Value, StreamedFrom(reading.Value), "streamed-searches", streaming.Value.SearchConnections, SearchesLimitSeconds, Free);

    public async ValueTask DisposeAsync()
    {
        await Pages.DisposeAsync();
        await Searches.DisposeAsync();
        await Streams.DisposeAsync();
        await StreamedSearches.DisposeAsync();
    }

    private static string StreamedFrom(ReadingOptions options) =>
        options.StreamsConnectionString.Length > 0 ? options.StreamsConnectionString : options.ConnectionString;

    private static NpgsqlDataSource Open(
        ReadingOptions options, string connectionString, string pool, int connections, int limitSeconds, string settings)
    {
        var builder = new NpgsqlSlimDataSourceBuilder(connectionString) { Name = pool };
        builder.EnableArrays();
        var connection = builder.ConnectionStringBuilder;
        connection.ApplicationName = $"apexshop-queries-{pool}";
        connection.MaxPoolSize = connections;
        // Nothing here leaves anything behind in a session, and the statements that would clear it away cost more than most.
        connection.NoResetOnClose = true;
        connection.MaxAutoPrepare = 200;
        connection.AutoPrepareMinUsages = 1;
        connection.Timeout = options.WaitSeconds;
        // A limit of a command's own would be told to the socket and taken back, four system calls a statement.
        connection.CommandTimeout = limitSeconds;
        connection.Options = $"{connection.Options} {settings}".TrimStart();
        return builder.Build();
    }
}
