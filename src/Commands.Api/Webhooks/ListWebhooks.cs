using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>GET /admin/webhooks: all webhooks with their state, by number.</summary>
internal static class ListWebhooks
{
    public static void Map(RouteGroupBuilder webhooks) => webhooks.MapGet("/", Handle).WithName(nameof(ListWebhooks));

    private static async Task<Ok<WebhookList>> Handle(WebhookTable table, CancellationToken ct) =>
        TypedResults.Ok(new WebhookList(await table.ListAsync(null, ct)));
}
