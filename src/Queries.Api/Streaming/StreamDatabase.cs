using System.Data.Common;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// The connection pools of streams and exports; they may use a replica. A stream whose first byte was sent waits for a
/// connection as long as necessary, so later streams cannot interrupt it: it competes only with other chunks, each of
/// which has a time limit.
/// </summary>
internal sealed class StreamDatabase(IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
    : IAsyncDisposable
{
    // Longer than the chunks of all places together take.
    private const int LongestWaitSeconds = 600;

    // By resource, so that the searches and walks of one resource take no connection of another one's.
    private readonly Dictionary<string, NpgsqlDataSource> searches = OpenPools(reading, streaming, "searches");
    private readonly Dictionary<string, NpgsqlDataSource> walks = OpenPools(reading, streaming, "walks");
    private readonly SearchPlaces searchPlaces = SearchPlaces.Half(streaming.Value.SearchConnections);
    private readonly SearchPlaces walkPlaces = SearchPlaces.Half(streaming.Value.SearchConnections);

    /// <summary>For what precedes a stream's first byte: the wait for a change, the segments of a collection.</summary>
    public NpgsqlDataSource Starts { get; } = ReadDatabase.Open(
        Address(reading.Value),
        "stream-starts",
        streaming.Value.Connections,
        reading.Value.WaitSeconds,
        ReadDatabase.ScanSettings);

    public NpgsqlDataSource Scans { get; } = ReadDatabase.Open(
        PatientAddress(reading.Value),
        "streams",
        streaming.Value.Connections,
        LongestWaitSeconds,
        ReadDatabase.ScanSettings);

    /// <summary>The connections for the chunks of a list.</summary>
    public NpgsqlDataSource Chunks(ListQuery list) =>
        list.IsShortScan ? Scans : (list.IsWalk ? walks : searches)[list.Resource.Name];

    /// <summary>
    /// Takes a place for a chunk, until the result is disposed of; null if the list is neither a search nor a walk.
    /// </summary>
    public async Task<IDisposable?> TakePlaceAsync(
        HttpContext http, ListQuery list, TimeSpan longestWait, CancellationToken ct) =>
        list.IsShortScan
            ? null
            : await (list.IsWalk ? walkPlaces : searchPlaces).TakeAsync(http, list.Resource, longestWait, ct);

    public async ValueTask DisposeAsync()
    {
        await Starts.DisposeAsync();
        await Scans.DisposeAsync();
        searchPlaces.Dispose();
        walkPlaces.Dispose();
        foreach (var pool in searches.Values.Concat(walks.Values)) await pool.DisposeAsync();
    }

    private static Dictionary<string, NpgsqlDataSource> OpenPools(
        IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming, string kind) =>
        ReadModel.All.ToDictionary(
            resource => resource.Name,
            resource => ReadDatabase.Open(
                PatientAddress(reading.Value),
                $"streamed-{resource.Name}-{kind}",
                streaming.Value.SearchConnections,
                LongestWaitSeconds,
                $"{ReadDatabase.SearchSettings} {ReadDatabase.TimeLimit(ReadDatabase.StreamedSearchSeconds)}"));

    private static string Address(ReadingOptions options) =>
        options.StreamsConnectionString.Length > 0 ? options.StreamsConnectionString : options.ConnectionString;

    // The time of the connection string is also that for a connection of the pool.
    private static string PatientAddress(ReadingOptions options)
    {
        var address = new DbConnectionStringBuilder { ConnectionString = Address(options) };
        address.Remove("Timeout");
        return address.ConnectionString;
    }
}
