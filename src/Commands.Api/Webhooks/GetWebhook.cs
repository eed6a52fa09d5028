using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>GET /admin/webhooks/{id}: a webhook with its state.</summary>
internal static class GetWebhook
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapGet("/{id:int}", Handle).WithName(nameof(GetWebhook))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<Ok<WebhookView>, ProblemHttpResult>> Handle(
        int id, WebhookTable table, CancellationToken ct) =>
        await table.ListAsync(id, ct) is [var webhook]
            ? TypedResults.Ok(webhook)
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
}
