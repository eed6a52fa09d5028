using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.Events;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// POST /admin/webhooks/{id}/test: sends an event of type apexshop.webhook.test now, and returns the outcome. It has
/// the position 0 and is not in the log.
/// </summary>
internal static class TestWebhook
{
    private static readonly Problem otherKey = Problem.Conflict(
        "webhook.other_key", "The webhook was made with another Webhooks:Key; make a new secret first.");

    private const string Type = "apexshop.webhook.test";

    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPost("/{id:int}/test", Handle).WithName(nameof(TestWebhook))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status409Conflict);

    private static async Task<Results<Ok<TestDelivery>, ProblemHttpResult>> Handle(
        int id, ReceiverTable table, WebhookSender sender, TimeProvider clock, CancellationToken ct)
    {
        if (await table.ReceiverAsync(id, ct) is not { } receiver)
            return CommandResponses.ToHttp(otherKey);
        var time = clock.GetUtcMicroseconds();
        var test = new LogEntry(0, 0, Guid.CreateVersion7(time), Type, "webhooks", id, time, null, "{}"u8.ToArray());
        var outcome = await sender.SendAsync(receiver, test);
        return TypedResults.Ok(new TestDelivery(outcome.IsDelivered, outcome.Failure));
    }
}
