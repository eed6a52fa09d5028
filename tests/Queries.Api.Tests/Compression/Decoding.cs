using System.IO.Compression;

namespace ApexShop.Queries.Api.Tests.Compression;

/// <summary>Requests a coding and decodes the response, with a client that does not decode automatically.</summary>
internal static class Decoding
{
    public static Task<HttpResponseMessage> GetCodedAsync(
        this HttpClient http, string path, string coding, string? known = null) =>
        http.SendCodedAsync(HttpMethod.Get, path, coding, known);

    public static async Task<HttpResponseMessage> SendCodedAsync(
        this HttpClient http, HttpMethod method, string path, string coding, string? known = null)
    {
        using var request = new HttpRequestMessage(method, path);
        request.Headers.TryAddWithoutValidation("Accept-Encoding", coding);
        if (known is not null) request.Headers.TryAddWithoutValidation("If-None-Match", known);
        return await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
    }

    /// <summary>The connection ends before the response does, and before or after its headers arrive.</summary>
    public static async Task ShouldBreakOffAsync(this HttpClient http, string path, string coding)
    {
        var failure = await Should.ThrowAsync<HttpRequestException>(async () =>
        {
            using var answer = await http.GetCodedAsync(path, coding);
            await answer.Content.LoadIntoBufferAsync();
        });
        failure.StatusCode.ShouldBeNull();
    }

    public static async Task<byte[]> DecodedAsync(this HttpResponseMessage answer)
    {
        await using var plain = await answer.PlainAsync();
        using var bytes = new MemoryStream();
        await plain.CopyToAsync(bytes);
        return bytes.ToArray();
    }

    public static async Task<Stream> PlainAsync(this HttpResponseMessage answer)
    {
        var body = await answer.Content.ReadAsStreamAsync();
        return answer.Content.Headers.ContentEncoding.SingleOrDefault() switch
        {
            "br" => new BrotliStream(body, CompressionMode.Decompress),
            "gzip" => new GZipStream(body, CompressionMode.Decompress),
            _ => body,
        };
    }
}
