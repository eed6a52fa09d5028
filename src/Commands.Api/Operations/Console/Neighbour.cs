using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Asks another process of the shop, with the key of who asks here.</summary>
internal sealed class Neighbour(IHttpClientFactory clients)
{
    /// <summary>What it says, or that it is unavailable; silence is no exception here.</summary>
    public async Task<Said> AskAsync(Uri url, string path, string? authorization, CancellationToken ct)
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(url, path));
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
            using var answer = await clients.CreateClient(nameof(Neighbour)).SendAsync(request, ct);
            var body = await answer.Content.ReadAsByteArrayAsync(ct);
            return answer.IsSuccessStatusCode
                ? new Said(url, PartState.Ok, null, body)
                : new Said(url, IsRefusal(answer.StatusCode) ? PartState.Refused : PartState.Unavailable, CodeOf(body), []);
        }
        catch (Exception silence) when (silence is HttpRequestException or OperationCanceledException)
        {
            return new Said(url, PartState.Unavailable, null, []);
        }
    }

    private static bool IsRefusal(HttpStatusCode status) => status is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden;

    private static string? CodeOf(byte[] problem)
    {
        try
        {
            using var json = JsonDocument.Parse(problem);
            return json.RootElement.ValueKind == JsonValueKind.Object && json.RootElement.TryGetProperty("code", out var code) ? code.GetString() : null;
        }
        catch (Exception unreadable) when (unreadable is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}

/// <summary>An answer, or the lack of one.</summary>
internal sealed record Said(Uri Url, string State, string? Reason, byte[] Body)
{
    public bool IsOk => State == PartState.Ok;
}
