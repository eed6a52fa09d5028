using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// GET /admin/webhooks/{id}/undelivered: the events that were not delivered, by position: those that are tried again,
/// those that wait behind them, and those that are parked.
/// </summary>
internal static class ListUndelivered
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapGet("/{id:int}/undelivered", Handle).WithName(nameof(ListUndelivered))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<Ok<UndeliveredList>, ProblemHttpResult>> Handle(
        int id, WebhookTable webhooks, UndeliveredTable table, CancellationToken ct,
        [Range(0, long.MaxValue)] long after = 0, [Range(1, 1000)] int limit = 100) =>
        await webhooks.ListAsync(id, ct) is []
            ? CommandResponses.ToHttp(WebhookInput.NotFound(id))
            : TypedResults.Ok(await table.ListAsync(id, after, limit, ct));
}
