using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Products;

/// <summary>POST /products: adds a product to a category.</summary>
internal static class CreateProduct
{
    internal sealed record Command(ProductInput.Body Body) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPost("/", Handle).WithName(nameof(CreateProduct));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        ProductInput.Body body,
        IMediator mediator,
        CommandResponses responses,
        HttpResponse response,
        CancellationToken ct) =>
        responses.Created(Resource.Products.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            var product = Product.New(command.Body, clock.GetUtcMicroseconds());
            await db.AddNewAsync(product, ct);
            outbox.Add(product.Created());
            await db.InsertAsync();
            return new Saved(product.Id, product.Version);
        }
    }
}
