using ApexShop.Queries.Api.Reading;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>The connection pools of streams and exports; they may use a replica.</summary>
internal sealed class StreamDatabase(IOptions<ReadingOptions> reading, IOptions<StreamingOptions> streaming)
    : IAsyncDisposable
{
    public NpgsqlDataSource Scans { get; } = ReadDatabase.Open(
        reading.Value,
        Address(reading.Value),
        "streams",
        streaming.Value.Connections,
        reading.Value.GatheredSeconds,
        ReadDatabase.ScanSettings);

    public NpgsqlDataSource Searches { get; } = ReadDatabase.Open(
        reading.Value,
        Address(reading.Value),
        "streamed-searches",
        streaming.Value.SearchConnections,
        ReadDatabase.SearchesLimitSeconds,
        $"{ReadDatabase.SearchSettings} {ReadDatabase.TimeLimit(ReadDatabase.StreamedSearchSeconds)}");

    public async ValueTask DisposeAsync()
    {
        await Scans.DisposeAsync();
        await Searches.DisposeAsync();
    }

    private static string Address(ReadingOptions options) =>
        options.StreamsConnectionString.Length > 0 ? options.StreamsConnectionString : options.ConnectionString;
}
