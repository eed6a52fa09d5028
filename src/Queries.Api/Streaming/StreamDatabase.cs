using ApexShop.Queries.Api.Reading;
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

    /// <summary>For what precedes a stream's first byte: the wait for a change, the segments of a collection.</summary>
    public NpgsqlDataSource Starts { get; } = ReadDatabase.Open(
        Address(reading.Value),
        "stream-starts",
        streaming.Value.Connections,
        reading.Value.WaitSeconds,
        ReadDatabase.ScanSettings);

    public NpgsqlDataSource Scans { get; } = ReadDatabase.Open(
        Address(reading.Value),
        "streams",
        streaming.Value.Connections,
        LongestWaitSeconds,
        ReadDatabase.ScanSettings);

    public NpgsqlDataSource Searches { get; } = ReadDatabase.Open(
        Address(reading.Value),
        "streamed-searches",
        streaming.Value.SearchConnections,
        LongestWaitSeconds,
        $"{ReadDatabase.SearchSettings} {ReadDatabase.TimeLimit(ReadDatabase.StreamedSearchSeconds)}");

    public async ValueTask DisposeAsync()
    {
        await Starts.DisposeAsync();
        await Scans.DisposeAsync();
        await Searches.DisposeAsync();
    }

    private static string Address(ReadingOptions options) =>
        options.StreamsConnectionString.Length > 0 ? options.StreamsConnectionString : options.ConnectionString;
}
