using System.Globalization;
using System.IO.Compression;
using ApexShop.Load.Scenarios;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// Streams received and discarded by curl over an open connection, timed by curl: like psql for COPY, it
/// is a client with minimal cost. The content of the first stream of a kind is checked.
/// </summary>
internal sealed class StreamRatioClient
{
    private readonly Dictionary<(Uri Url, string MediaType, string? Coding), long> lengths = [];

    /// <summary>
    /// Milliseconds until the last byte, of a stream in this <paramref name="coding"/> if there is one; a stream whose
    /// length differs from the first of its kind is an error.
    /// </summary>
    public async Task<double> TimeAsync(
        Uri url, string mediaType, int documents, CancellationToken ct, string? coding = null)
    {
        if (!lengths.TryGetValue((url, mediaType, coding), out var expected))
            lengths[(url, mediaType, coding)] = expected = await LookAsync(url, mediaType, documents, coding, ct);
        var (milliseconds, length) = await ReceiveAsync(url, mediaType, coding, "/dev/null", ct);
        return length == expected
            ? milliseconds
            : throw new InvalidOperationException(
                $"{url} was {length} bytes of {mediaType} long instead of {expected}.");
    }

    private static async Task<long> LookAsync(
        Uri url, string mediaType, int documents, string? coding, CancellationToken ct)
    {
        var file = Path.GetTempFileName();
        try
        {
            await ReceiveAsync(url, mediaType, coding, file, ct);
            var received = await File.ReadAllBytesAsync(file, ct);
            var body = coding is null ? received : Decompressed(received, coding);
            var count = Count(mediaType, body);
            if (!count.IsComplete) throw new InvalidOperationException($"{url} is cut as {mediaType}.");
            if (count.Documents != documents)
                throw new InvalidOperationException(
                    $"{url} has {count.Documents} documents as {mediaType} instead of {documents}.");
            return received.Length;
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static async Task<(double Milliseconds, long Length)> ReceiveAsync(
        Uri url, string mediaType, string? coding, string file, CancellationToken ct)
    {
        string[] arguments =
        [
            "-sS", "--fail", "-o", file, "-H", $"Accept: {mediaType}", "-H",
            $"Authorization: Bearer {TestKeys.Everything}",
            .. coding is null ? (string[])[] : ["-H", $"Accept-Encoding: {coding}"],
            "-w", "%{time_pretransfer} %{time_total} %{size_download}", url.ToString(),
        ];
        var printed = await Tool.RunAsync("curl", arguments, new Dictionary<string, string>(), ct);
        double[] words = [.. printed.Split(' ').Select(word => double.Parse(word, CultureInfo.InvariantCulture))];
        return ((words[1] - words[0]) * 1000, (long)words[2]);
    }

    // Any other coding than the requested one is an error.
    private static byte[] Decompressed(byte[] received, string coding)
    {
        using var bytes = new MemoryStream(received);
        using Stream plain = coding == "br"
            ? new BrotliStream(bytes, CompressionMode.Decompress)
            : new GZipStream(bytes, CompressionMode.Decompress);
        using var body = new MemoryStream();
        plain.CopyTo(body);
        return body.ToArray();
    }

    private static IDocumentCount Count(string mediaType, byte[] body)
    {
        var count = IDocumentCount.Of(mediaType);
        count.Read(body);
        return count;
    }
}
