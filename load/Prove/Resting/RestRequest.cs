using System.Text.Json;
using ApexShop.Prove.Clients;

namespace ApexShop.Prove.Resting;

/// <summary>The requests of a shop at rest, each repeated while it is unavailable.</summary>
internal static class RestRequest
{
    public const string Lines = "application/x-ndjson";

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

    private static Task<string> TextAsync(
        HttpClient client, string path, string contentType, CancellationToken ct) =>
        RepeatedRequest.SendAsync(
            client, () => new(HttpMethod.Get, path) { Headers = { { "Accept", contentType } } }, ct);
}
