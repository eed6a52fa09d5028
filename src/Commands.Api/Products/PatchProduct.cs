using System.Text.Json;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PATCH /products/{id}: changes some fields of a product (JSON Merge Patch, RFC 7396) under the rules of PUT: a stock
/// that differs from the current one needs the version in If-Match. A patch that changes nothing has no event.
/// </summary>
internal static class PatchProduct
{
    public static void Map(RouteGroupBuilder products) =>
        products.MapPatch("/{id:int}", Handle).WithName(nameof(PatchProduct))
            .Accepts<Dictionary<string, JsonElement>>(MergePatch.ContentType, "application/json")
            .ProducesProblem(StatusCodes.Status428PreconditionRequired);

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Dictionary<string, JsonElement> patch,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) => CommandResponses.Replaced(
            await mediator.Send(new UpdateProduct.Command(id, new(patch), ifMatch), ct), response);
}
