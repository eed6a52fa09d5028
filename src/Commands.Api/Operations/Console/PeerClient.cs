using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Sends a GET request to another process of the shop, with the caller's key.</summary>
internal sealed class PeerClient(IHttpClientFactory clients)
{
    /// <summary>Without a response, the state is <see cref="PartState.Unavailable"/>.</summary>
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
                : new PeerResponse(url, StateOf(response.StatusCode), CodeOf(body), body);
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
            return JsonSerializer.Deserialize<ProblemCode>(problem, JsonSerializerOptions.Web)?.Code;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private sealed record ProblemCode(string? Code);
}

/// <summary>The response of another process; without one, the body is empty.</summary>
internal sealed record PeerResponse(Uri Url, string State, string? Reason, byte[] Body)
{
    public bool IsOk => State == PartState.Ok;
}
