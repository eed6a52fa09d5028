using System.Text.Json;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PATCH /users/{id}: changes some fields of a user (JSON Merge Patch, RFC 7396), also the password. A patch that
/// changes nothing has no event.
/// </summary>
internal static class PatchUser
{
    public static void Map(RouteGroupBuilder users) =>
        users.MapPatch("/{id:int}", Handle).WithName(nameof(PatchUser))
            .Accepts<Dictionary<string, JsonElement>>(MergePatch.ContentType, "application/json");

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Dictionary<string, JsonElement> patch,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) => CommandResponses.Replaced(
            await mediator.Send(new UpdateUser.Command(id, new(patch), ifMatch), ct), response);
}
