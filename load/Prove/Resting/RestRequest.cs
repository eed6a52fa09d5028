using System.Net;
using System.Text.Json;

namespace ApexShop.Prove.Resting;

/// <summary>The requests of a shop at rest, each repeated while it is unavailable.</summary>
internal static class RestRequest
{
    public const string Lines = "application/x-ndjson";

    private const int Attempts = 10;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    /// <summary>The documents of a stream, a line each.</summary>
    public static async Task<string[]> LinesAsync(HttpClient client, string path, CancellationToken ct) =>
        (await TextAsync(client, path, Lines, ct)).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>A page, or the one at a cursor.</summary>
    public static Task<JsonElement> PageAsync(
        HttpClient client, string path, string? cursor, CancellationToken ct, string parameter = "after") =>
        JsonAsync(client, cursor is null ? path : $"{path}&{parameter}={Uri.EscapeDataString(cursor)}", ct);

    public static async Task<JsonElement> JsonAsync(HttpClient client, string path, CancellationToken ct) =>
        JsonElement.Parse(await TextAsync(client, path, "application/json", ct));

    public static JsonElement.ArrayEnumerator Data(JsonElement page) => page.GetProperty("data").EnumerateArray();

    // A connection to a database that was replaced is found by the first request that uses it, which is then 503.
    private static async Task<string> TextAsync(
        HttpClient client, string path, string contentType, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            request.Headers.Accept.ParseAdd(contentType);
            using var response = await client.SendAsync(request, ct);
            var text = await response.Content.ReadAsStringAsync(ct);
            if (response.IsSuccessStatusCode) return text;
            if (response.StatusCode != HttpStatusCode.ServiceUnavailable || attempt == Attempts)
                throw new InvalidOperationException($"{path}: {(int)response.StatusCode} {text}");
            await Task.Delay(pause, ct);
        }
    }
}
