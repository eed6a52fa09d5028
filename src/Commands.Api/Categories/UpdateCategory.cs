using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Categories;

/// <summary>PUT /categories/{id}: replaces a category. A replacement with the current values changes nothing.</summary>
internal static class UpdateCategory
{
    internal sealed record Command(int Id, NewValues<CategoryInput.Body> Values, ExpectedVersion? IfMatch)
        : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapPut("/{id:int}", Handle).WithName(nameof(UpdateCategory));

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        CategoryInput.Body body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, MergePatch patch)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Categories.ForChange(command.Id).SingleOrDefaultAsync(ct) is not { } category)
                return Problem.NotFound("category", command.Id);
            if (command.IfMatch?.Allows(category.Version) is false) return Problem.VersionMismatch(category.Version);
            var (body, problem) = await patch.ApplyAsync(command.Values, category.Values, ct);
            if (body is null) return problem!;

            outbox.Add(category, category.Replace(body));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(category.Id, category.Version);
        }
    }
}
