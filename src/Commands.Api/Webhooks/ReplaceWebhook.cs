using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Webhooks.Delivering;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// PUT /admin/webhooks/{id}: replaces address, description, types and activity; a receiver that was unavailable is
/// tried again at once. The key also needs `events:read` and the read scopes of the events.
/// </summary>
internal static class ReplaceWebhook
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPut("/{id:int}", Handle).WithName(nameof(ReplaceWebhook))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status409Conflict);

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, WebhookInput.Body body, HttpContext http, WebhookTable table, ReceiverAddresses addresses)
    {
        var refusal = WebhookInput.Refusal(body, addresses) ?? WebhookInput.Refusal(http.User, body.Types);
        if (refusal is not null) return CommandResponses.ToHttp(refusal);
        return await table.ReplaceAsync(id, body)
            ? TypedResults.NoContent()
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
    }
}
