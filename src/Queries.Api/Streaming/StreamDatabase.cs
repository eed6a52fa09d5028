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
    private readonly Dictionary<string, NpgsqlDataSource> searches = ReadModel.All.ToDictionary(
        resource => resource.Name,
        resource => ReadDatabase.Open(
            PatientAddress(reading.Value),
            $"streamed-{resource.Name}-searches",
            streaming.Value.SearchConnections,
            LongestWaitSeconds,
            $"{ReadDatabase.SearchSettings} {ReadDatabase.TimeLimit(ReadDatabase.StreamedSearchSeconds)}"));

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
    public NpgsqlDataSource Chunks(ListQuery list) => list.IsShortScan ? Scans : searches[list.Resource.Name];

    public async ValueTask DisposeAsync()
    {
        await Starts.DisposeAsync();
        await Scans.DisposeAsync();
        foreach (var pool in searches.Values) await pool.DisposeAsync();
    }

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
