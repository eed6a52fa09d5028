using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>DELETE /admin/webhooks/{id}: deletes a webhook with its events that were not delivered.</summary>
internal static class DeleteWebhook
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteWebhook))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(int id, WebhookTable table) =>
        await table.DeleteAsync(id)
            ? TypedResults.NoContent()
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
}
