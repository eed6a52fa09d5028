using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Reads checksums of the write side's tables from Commands.Api, and never the rows themselves.</summary>
internal sealed class WriteSideClient(HttpClient http)
{
    /// <summary>Buckets of one response, few enough that the write side's statement stays short.</summary>
    public const int Buckets = 40;

    /// <summary>The next buckets with rows; buckets without a row are left out.</summary>
    public Task<List<BucketChecksum>> BucketsAsync(string resource, int from, CancellationToken ct) => ReadAsync(
        $"events/checksums?resource={resource}&from={from}&limit={Buckets}", OperationsJson.Default.BucketChecksum, ct);

    /// <summary>The aggregates of a bucket by id.</summary>
    public async Task<Dictionary<int, AggregateCheck>> AggregatesAsync(
        string resource, int bucket, CancellationToken ct) =>
        (await ReadAsync(
            $"events/aggregates?resource={resource}&bucket={bucket}", OperationsJson.Default.AggregateCheck, ct))
        .ToDictionary(aggregate => aggregate.Id);

    private async Task<List<T>> ReadAsync<T>(FormattableString path, JsonTypeInfo<T> json, CancellationToken ct)
    {
        try
        {
            var uri = new Uri(path.ToString(CultureInfo.InvariantCulture), UriKind.Relative);
            using var response = await http.GetAsync(uri, HttpCompletionOption.ResponseHeadersRead, ct);
            var body = await SilenceLimit.ReadAsync(response.EnsureSuccessStatusCode().Content, http.Timeout, ct);
            using var lines = new MemoryStream(body.ToArray());
            return await JsonSerializer.DeserializeAsyncEnumerable(lines, json, topLevelValues: true, ct).Select(
                line => line!).ToListAsync(ct);
        }
        catch (Exception exception) when (
            exception is HttpRequestException or JsonException or IOException or TimeoutException
            || (exception is TaskCanceledException && !ct.IsCancellationRequested))
        {
            throw new EventLogException($"The write side is unavailable: {exception.Message}", exception);
        }
    }
}
