using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// The additional memory of Queries.Api while four callers stream 1.5 million products each.
/// </summary>
internal static class StreamMemory
{
    private const int Documents = 1_500_000;
    private const int Callers = 4;
    private const double Goal = 60;
    private const double Megabyte = 1024 * 1024;
    private const string Lines = "application/x-ndjson";

    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan rest = TimeSpan.FromSeconds(5);

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(TextWriter progress, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(Documents, ct);
        var queries = await bench.QueriesAsync(CacheSize.Usual);
        // Memory that is used once, for compiled code and buffers, does not count.
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => ReadAsync(queries, Lines, "?limit=20000", ct)));
        await Task.Delay(rest, ct);
        var atRest = queries.ResidentBytes / Megabyte;
        await progress.WriteLineAsync(FormattableString.Invariant($"  at rest: {atRest:0} MB"));
        return
        [
            await AboveAsync(queries, "application/json", atRest, progress, ct),
            await AboveAsync(queries, Lines, atRest, progress, ct),
            await AboveAsync(queries, "application/x-msgpack", atRest, progress, ct),
        ];
    }

    private static async Task<Figure> AboveAsync(
        ShopProcess queries, string mediaType, double atRest, TextWriter progress, CancellationToken ct)
    {
        var streams = Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => ReadAsync(queries, mediaType, "", ct)));
        var above = new List<double>();
        using var timer = new PeriodicTimer(interval);
        while (!streams.IsCompleted && await timer.WaitForNextTickAsync(ct))
            above.Add(queries.ResidentBytes / Megabyte - atRest);
        var lines = await streams;
        if (mediaType == Lines && lines.Any(count => count != Documents))
            throw new InvalidOperationException($"A stream had {lines.Min()} documents instead of {Documents}.");
        await progress.WriteLineAsync(FormattableString.Invariant($"  {mediaType}: at most {above.Max():0} MB more"));
        return new Figure(
            $"resident memory during {Callers} streams of {Documents:N0} products as {mediaType}, most above rest",
            "at most 60 MB",
            $"{Figure.Number(above.Max(), "0")} MB",
            $"{Figure.Number(above.Min(), "0")} to {Figure.Number(above.Max(), "0")}", above.Max() > Goal);
    }

    /// <summary>Reads to the end and returns the number of line breaks.</summary>
    private static async Task<long> ReadAsync(ShopProcess queries, string mediaType, string query, CancellationToken ct)
    {
        using var http = new HttpClient { BaseAddress = queries.Url, Timeout = Timeout.InfiniteTimeSpan };
        using var request = new HttpRequestMessage(HttpMethod.Get, "/products/stream" + query);
        request.Headers.Add("Accept", mediaType);
        request.Headers.Authorization = new("Bearer", TestKeys.Everything);
        using var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
        response.EnsureSuccessStatusCode();
        await using var body = await response.Content.ReadAsStreamAsync(ct);
        var (buffer, lines) = (new byte[64 * 1024], 0L);
        while (await body.ReadAsync(buffer, ct) is var length and > 0)
            lines += buffer.AsSpan(0, length).Count((byte)'\n');
        return lines;
    }
}
