using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Webhooks.Delivering;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// POST /admin/webhooks: sends the events after a position of the log, or those from now on, to an address. The
/// response has the secret that signs them. The key also needs `events:read` and the read scopes of the events. No two
/// webhooks have one address, so a repeated request is refused; an Idempotency-Key has no effect.
/// </summary>
internal static class CreateWebhook
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPost("/", Handle).WithName(nameof(CreateWebhook)).ProducesProblem(StatusCodes.Status409Conflict);

    private static async Task<Results<Created<WebhookSecret>, ProblemHttpResult>> Handle(
        WebhookInput.Body body, HttpContext http, WebhookTable table, ReceiverAddresses addresses,
        LogHeadReader heads, CancellationToken ct, [Range(0, long.MaxValue)] long? position = null)
    {
        var refusal = WebhookInput.Refusal(body, addresses) ?? WebhookInput.Refusal(http.User, body.Types);
        if (position is { } after && after > (await heads.ReadAsync(after, ct)).Position)
            refusal ??= Problem.Invalid("position", "The event log has not reached this position.");
        if (refusal is not null) return CommandResponses.ToHttp(refusal);
        var created = await table.CreateAsync(body, position, ct);
        return created.Value is { } secret
            ? TypedResults.Created((string?)null, secret)
            : CommandResponses.ToHttp(created.Problem!);
    }
}
