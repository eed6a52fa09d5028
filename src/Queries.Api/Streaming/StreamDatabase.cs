using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// The connection pools of streams and exports; they may use a replica. A stream whose first byte was sent waits for
/// its turn as long as necessary, so later streams cannot interrupt it: it competes only with other chunks, each of
/// which has a time limit.
/// </summary>
internal sealed class StreamDatabase(IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
    : IAsyncDisposable
{
    // By resource, so that the searches and walks of one resource take no connection of another one's.
    private readonly Dictionary<string, StreamPool> searches = OpenPools(reading, streaming, "searches");
    private readonly Dictionary<string, StreamPool> walks = OpenPools(reading, streaming, "walks");
    private readonly SearchPlaces searchPlaces = SearchPlaces.Half(streaming.Value.SearchConnections);
    private readonly SearchPlaces walkPlaces = SearchPlaces.Half(streaming.Value.SearchConnections);

    /// <summary>For what precedes a stream's first byte: the wait for a change, the segments of a collection.</summary>
    public NpgsqlDataSource Starts { get; } = ReadDatabase.Open(
        Address(reading.Value),
        "stream-starts",
        streaming.Value.Connections,
        reading.Value.WaitSeconds,
        ReadDatabase.ScanSettings);

    /// <summary>For the chunks of lists that are neither searches nor walks.</summary>
    public StreamPool Scans { get; } = new(
        ReadDatabase.Open(
            Address(reading.Value),
            "streams",
            streaming.Value.Connections,
            reading.Value.WaitSeconds,
            ReadDatabase.ScanSettings),
        streaming.Value.Connections);

    /// <summary>The connections for the chunks of a list.</summary>
    public NpgsqlDataSource Chunks(ListQuery list) => PoolOf(list).Source;

    /// <summary>Takes a place for a chunk, until the result is disposed of.</summary>
    public async Task<IDisposable> TakePlaceAsync(
        HttpContext http, ListQuery list, TimeSpan longestWait, CancellationToken ct)
    {
        if (list.IsShortScan)
            return await Scans.TakeAsync(null, longestWait, ct)
                ?? throw new NpgsqlException("No connection was free in time.");

        var place = await (list.IsWalk ? walkPlaces : searchPlaces).TakeAsync(http, list.Resource, longestWait, ct);
        try
        {
            return await PoolOf(list).TakeAsync(place, longestWait, ct) ?? throw new SearchBusyException();
        }
        catch
        {
            place.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Starts.DisposeAsync();
        await Scans.DisposeAsync();
        searchPlaces.Dispose();
        walkPlaces.Dispose();
        foreach (var pool in searches.Values.Concat(walks.Values)) await pool.DisposeAsync();
    }

    private StreamPool PoolOf(ListQuery list) =>
        list.IsShortScan ? Scans : (list.IsWalk ? walks : searches)[list.Resource.Name];

    private static Dictionary<string, StreamPool> OpenPools(
        IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming, string kind) =>
        ReadModel.All.ToDictionary(
            resource => resource.Name,
            resource => new StreamPool(
                ReadDatabase.Open(
                    Address(reading.Value),
                    $"streamed-{resource.Name}-{kind}",
                    streaming.Value.SearchConnections,
                    reading.Value.WaitSeconds,
                    $"{ReadDatabase.SearchSettings} {ReadDatabase.TimeLimit(ReadDatabase.StreamedSearchSeconds)}"),
                streaming.Value.SearchConnections));

    private static string Address(ReadingOptions options) =>
        options.StreamsConnectionString.Length > 0 ? options.StreamsConnectionString : options.ConnectionString;
}
