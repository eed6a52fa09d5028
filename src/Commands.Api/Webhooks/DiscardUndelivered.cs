using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// DELETE /admin/webhooks/{id}/undelivered/{position}: gives up an event; the next one of its aggregate is sent then.
/// </summary>
internal static class DiscardUndelivered
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapDelete("/{id:int}/undelivered/{position:long}", Handle).WithName(nameof(DiscardUndelivered))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, long position, UndeliveredTable table, CancellationToken ct) =>
        await table.DiscardAsync(id, position, ct) is not null
            ? TypedResults.NoContent()
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
}
