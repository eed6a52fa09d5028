using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// DELETE /reviews/product/{productId}/bulk-delete-old?olderThanDays=: deletes a product's reviews that were written
/// more than 1 to 36,500 days ago. Each chunk is a transaction: after an interruption the next request deletes the
/// rest.
/// </summary>
internal static class DeleteOldReviews
{
    internal sealed record Command(int ProductId, int OlderThanDays) : IRequest<Result<DeletedRows>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapDelete("/product/{productId:int}/bulk-delete-old", Handle)
            .WithName(nameof(DeleteOldReviews)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<DeletedRows>, ProblemHttpResult>> Handle(
        int productId, [Range(1, 36_500)] int olderThanDays, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(productId, olderThanDays), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedDeletion deletion, TimeProvider clock)
        : IRequestHandler<Command, Result<DeletedRows>>
    {
        public async Task<Result<DeletedRows>> Handle(Command command, CancellationToken ct)
        {
            var productId = command.ProductId;
            if (!await db.Products.AnyAsync(product => product.Id == productId, ct))
                return Problem.NotFound("product", productId);

            var cutoff = clock.GetUtcMicroseconds().AddDays(-command.OlderThanDays);
            return new DeletedRows(await deletion.DeleteAsync(
                EventTypes.ReviewDeleted,
                Resource.Reviews.Name,
                chunk =>
                    $"""
                    DELETE FROM shop.reviews WHERE id = ANY (ARRAY(
                        SELECT id FROM shop.reviews
                        WHERE product_id = {productId} AND created_date < {cutoff} AND id > {chunk.After}
                        ORDER BY id LIMIT {chunk.Rows} FOR UPDATE))
                    """,
                ct));
        }
    }
}
