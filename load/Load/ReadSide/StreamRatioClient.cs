using System.Diagnostics;
using System.Text.Json;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>Reads a stream to its end into a buffer that is used again and again; what it read is looked at once.</summary>
internal sealed class StreamRatioClient : IDisposable
{
    // A product has twelve members, the first of which is its id: no other map begins like this.
    private static readonly byte[] mapOfProduct = [0x8c, 0xa2, (byte)'i', (byte)'d'];

    private readonly HttpClient http = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false });
    private readonly Dictionary<(Uri Url, string MediaType), long> lengths = [];
    private byte[] buffer = new byte[16 * 1024 * 1024];

    /// <summary>Milliseconds until the last byte; a stream that is not as long as the first of its kind is an error.</summary>
    public async Task<double> TimeAsync(Uri url, string mediaType, int? documents, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, url);
        request.Headers.Add("Accept", mediaType);
        request.Headers.Authorization = new("Bearer", TestKeys.Everything);
        var started = Stopwatch.GetTimestamp();
        using var answer = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
        var length = await ReadAsync(answer, ct);
        var elapsed = Stopwatch.GetElapsedTime(started).TotalMilliseconds;

        answer.EnsureSuccessStatusCode();
        if (lengths.TryAdd((url, mediaType), length) && documents is { } expected && Count(mediaType, length) != expected)
            throw new InvalidOperationException($"{url} has {Count(mediaType, length)} documents as {mediaType} instead of {expected}.");
        if (lengths[(url, mediaType)] != length)
            throw new InvalidOperationException($"{url} was {length} bytes of {mediaType} long instead of {lengths[(url, mediaType)]}.");
        return elapsed;
    }

    public void Dispose() => http.Dispose();

    private async Task<int> ReadAsync(HttpResponseMessage answer, CancellationToken ct)
    {
        await using var body = await answer.Content.ReadAsStreamAsync(ct);
        for (var length = 0; ;)
        {
            if (length == buffer.Length) Array.Resize(ref buffer, buffer.Length * 2);
            var read = await body.ReadAsync(buffer.AsMemory(length), ct);
            if (read == 0) return length;
            length += read;
        }
    }

    private int Count(string mediaType, long length)
    {
        var bytes = buffer.AsSpan(0, (int)length);
        return mediaType switch
        {
            "application/x-ndjson" => bytes.Count((byte)'\n'),
            "application/x-msgpack" => bytes.Count(mapOfProduct),
            _ => JsonDocument.Parse(buffer.AsMemory(0, (int)length)).RootElement.GetArrayLength(),
        };
    }
}
