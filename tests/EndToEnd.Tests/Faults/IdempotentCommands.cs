using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>A request with an idempotency key, so that it may be sent again.</summary>
internal sealed record KeyedCommand(string Key, HttpMethod Method, string Path, object Body);

/// <summary>The parts of two responses that a client can compare; every request has its own trace id.</summary>
internal sealed record KeyedResponse(HttpStatusCode Status, string Text, Uri? Location, string? ETag, string? Token)
{
    public bool IsRefusal => (int)Status >= 400;
}

/// <summary>
/// Sends commands with their keys, like a client that does not know the outcome of the last attempt.
/// </summary>
internal sealed class IdempotentCommands(ShopProcess commands)
{
    /// <summary>
    /// The response, and whether it is a stored one; null without a response or with one that asks for a retry.
    /// </summary>
    public async Task<(KeyedResponse Response, bool Replayed)?> TryAsync(KeyedCommand command)
    {
        using var request =
            new HttpRequestMessage(command.Method, command.Path) { Content = JsonContent.Create(command.Body) };
        request.Headers.Add("Idempotency-Key", command.Key);
        try
        {
            using var response = await commands.Http.SendAsync(request);
            var text = WithoutTrace(await response.Content.ReadAsStringAsync());
            if (response.StatusCode == HttpStatusCode.ServiceUnavailable
                || text.Contains("idempotency.in_progress", StringComparison.Ordinal))
                return null;
            var token = response.Headers.TryGetValues("Consistency-Token", out var tokens) ? tokens.Single() : null;
            var keyed = new KeyedResponse(
                response.StatusCode, text, response.Headers.Location, response.Headers.ETag?.Tag, token);
            return (keyed, response.Headers.Contains("Idempotency-Replayed"));
        }
        catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
        {
            // No process listens, or it died before it sent the response.
            return null;
        }
    }

    /// <summary>Repeats the command until there is a response.</summary>
    public async Task<(KeyedResponse Response, bool Replayed)> SendAsync(KeyedCommand command)
    {
        (KeyedResponse, bool)? result = null;
        await Eventually.Holds(
            async () => (result = await TryAsync(command)) is not null, $"{command.Key} is result");
        return result!.Value;
    }

    private static string WithoutTrace(string text)
    {
        if (text.Length == 0) return text;
        var body = JsonNode.Parse(text)!.AsObject();
        return body.Remove("traceId") ? body.ToJsonString() : text;
    }
}
