using System.Text.Json;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// PATCH /reviews/{id}: changes rating or comment (JSON Merge Patch, RFC 7396). A patch that changes nothing has no
/// event.
/// </summary>
internal static class PatchReview
{
    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPatch("/{id:int}", Handle).WithName(nameof(PatchReview))
            .Accepts<Dictionary<string, JsonElement>>(MergePatch.ContentType, "application/json");

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Dictionary<string, JsonElement> patch,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) => CommandResponses.Replaced(
            await mediator.Send(new UpdateReview.Command(id, new(patch), ifMatch), ct), response);
}
