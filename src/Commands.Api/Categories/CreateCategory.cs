using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Categories;

/// <summary>POST /categories: adds a category.</summary>
internal static class CreateCategory
{
    internal sealed record Command(CategoryInput.Body Body) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapPost("/", Handle).WithName(nameof(CreateCategory));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        CategoryInput.Body body,
        IMediator mediator,
        CommandResponses responses,
        HttpResponse response,
        CancellationToken ct) =>
        responses.Created(Resource.Categories.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            var category = Category.New(command.Body, clock.GetUtcMicroseconds());
            await db.AddNewAsync(category, ct);
            outbox.Add(category.Created());
            await db.InsertAsync();
            return new Saved(category.Id, category.Version);
        }
    }
}
