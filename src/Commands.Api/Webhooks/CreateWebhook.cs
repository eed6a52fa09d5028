using System.ComponentModel.DataAnnotations;
using System.Globalization;
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
    private static readonly Problem tooMany = Problem.Conflict(
        "webhook.too_many",
        string.Create(CultureInfo.InvariantCulture, $"A shop has at most {WebhookTable.Max} webhooks."));

    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPost("/", Handle).WithName(nameof(CreateWebhook)).ProducesProblem(StatusCodes.Status409Conflict);

    private static async Task<Results<Created<WebhookSecret>, ProblemHttpResult>> Handle(
        WebhookInput.Body body, HttpContext http, WebhookTable table, ReceiverAddresses addresses,
        EventLogReader log, LogHeadReader heads, CancellationToken ct, [Range(0, long.MaxValue)] long? position = null)
    {
        var refusal = WebhookInput.Refusal(body, addresses) ?? WebhookInput.Refusal(http.User, body.Types);
        if (position is { } after && after > (await heads.ReadAsync(after, ct)).Position)
            refusal ??= Problem.Invalid("position", "The event log has not reached this position.");
        if (position < await log.RemovedUpToAsync(WebhookInput.Filter(body.Types), ct))
            refusal ??= Problem.Invalid("position", "Events after this position were removed from the log.");
        if (refusal is not null) return CommandResponses.ToHttp(refusal);
        http.Response.Headers.CacheControl = "no-store";
        return await table.CreateAsync(body, position, ct) is { } created
            ? TypedResults.Created((string?)null, created)
            : CommandResponses.ToHttp(tooMany);
    }
}
