using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Sends a GET request to another process of the shop, with the caller's key.</summary>
internal sealed class PeerClient(IHttpClientFactory clients)
{
    /// <summary>
    /// Never throws: a process that does not respond is in the state <see cref="PartState.Unavailable"/>.
    /// </summary>
    public async Task<PeerResponse> GetAsync(Uri url, string path, string? authorization, CancellationToken ct)
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(url, path));
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
            using var response = await clients.CreateClient(nameof(PeerClient)).SendAsync(request, ct);
            var body = await response.Content.ReadAsByteArrayAsync(ct);
            return response.IsSuccessStatusCode
                ? new PeerResponse(url, PartState.Ok, null, body)
                : new PeerResponse(url, StateOf(response.StatusCode), CodeOf(body), []);
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException)
        {
            return new PeerResponse(url, PartState.Unavailable, null, []);
        }
    }

    private static string StateOf(HttpStatusCode status) =>
        status is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden ? PartState.Refused : PartState.Unavailable;

    private static string? CodeOf(byte[] problem)
    {
        try
        {
            using var json = JsonDocument.Parse(problem);
            return json.RootElement.ValueKind == JsonValueKind.Object
                && json.RootElement.TryGetProperty("code", out var code)
                ? code.GetString()
                : null;
        }
        catch (Exception invalid) when (invalid is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}

/// <summary>The response of another process; the body is empty unless the state is ok.</summary>
internal sealed record PeerResponse(Uri Url, string State, string? Reason, byte[] Body)
{
    public bool IsOk => State == PartState.Ok;
}
