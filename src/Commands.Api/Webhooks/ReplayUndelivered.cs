using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// POST /admin/webhooks/{id}/replay: tries the events again that failed or are parked, or the one at a position, and
/// ends the pause of the webhook. Their order within an aggregate stays.
/// </summary>
internal static class ReplayUndelivered
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPost("/{id:int}/replay", Handle).WithName(nameof(ReplayUndelivered))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<Ok<ReplayedDeliveries>, ProblemHttpResult>> Handle(
        int id, UndeliveredTable table, CancellationToken ct, long? position = null) =>
        await table.ReplayAsync(id, position, ct) is { } count
            ? TypedResults.Ok(new ReplayedDeliveries(count))
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
}
