using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>
/// POST /admin/webhooks/{id}/secret: makes a new secret. For a day deliveries are signed with the earlier one too, so
/// that the receiver can be changed meanwhile.
/// </summary>
internal static class RenewWebhookSecret
{
    public static void Map(RouteGroupBuilder webhooks) =>
        webhooks.MapPost("/{id:int}/secret", Handle).WithName(nameof(RenewWebhookSecret))
            .ProducesProblem(StatusCodes.Status404NotFound);

    private static async Task<Results<Ok<WebhookSecret>, ProblemHttpResult>> Handle(int id, ReceiverTable table) =>
        await table.RenewSecretAsync(id) is { } renewed
            ? TypedResults.Ok(renewed)
            : CommandResponses.ToHttp(WebhookInput.NotFound(id));
}
