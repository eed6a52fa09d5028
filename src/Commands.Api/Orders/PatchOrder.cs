using System.Text.Json;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// PATCH /orders/{id}: changes status, address or tracking number (JSON Merge Patch, RFC 7396) under the rules of PUT.
/// A patch that changes nothing has no event.
/// </summary>
internal static class PatchOrder
{
    public static void Map(RouteGroupBuilder orders) =>
        orders.MapPatch("/{id:int}", Handle).WithName(nameof(PatchOrder))
            .Accepts<Dictionary<string, JsonElement>>(MergePatch.ContentType, "application/json");

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Dictionary<string, JsonElement> patch,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) => CommandResponses.Replaced(
            await mediator.Send(new UpdateOrder.Command(id, new(patch), ifMatch), ct), response);
}
