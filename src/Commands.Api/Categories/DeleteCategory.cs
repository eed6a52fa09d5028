using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Categories;

/// <summary>DELETE /categories/{id}: deletes a category without products.</summary>
internal static class DeleteCategory
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteCategory));

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Categories.ForUpdate(command.Id).SingleOrDefaultAsync(ct) is not { } category)
                return Problem.NotFound("category", command.Id);
            if (command.IfMatch?.Allows(category.Version) is false) return Problem.VersionMismatch(category.Version);

            var products = await db.ReferencesAsync("products", "id", "category_id", category.Id, ct);
            if (products.Count > 0)
                return Problem.ReferencedBy(
                    "category.has_products", $"Category {category.Id} has products.", Resource.Products.Name, products);

            outbox.Add(category.Deleted());
            db.Categories.Remove(category);
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(category.Id, category.Version);
        }
    }
}
