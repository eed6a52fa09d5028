using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Users;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// POST /reviews: adds a review, one per user and product; rating 1 to 5, comment up to 2,000 characters.
/// </summary>
internal static class CreateReview
{
    internal sealed record Command(ReviewInput.Body Body) : IRequest<Result<Saved>>, ICustomerCommand
    {
        public bool IsPermittedTo(int customerId) => Body.UserId == customerId;
    }

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPost("/", Handle).WithName(nameof(CreateReview));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        ReviewInput.Body body,
        IMediator mediator,
        CommandResponses responses,
        HttpResponse response,
        CancellationToken ct) =>
        responses.Created(Resource.Reviews.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, Actor actor, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            var (productId, userId) = (command.Body.ProductId!.Value, command.Body.UserId!.Value);
            await using var transaction = await db.BeginAsync(ct);
            await db.LockForKeyShareAsync(Resource.Products.Name, [productId], ct);
            var user = await db.LockUserAsync(userId, ct);
            // A key may add reviews of users who are not active any more, such as those of an earlier shop.
            if (actor.IsCustomer && user is not { IsActive: true }) return Problem.CustomerInactive();
            if (user is { IsErased: true })
                return Problem.Conflict("user.erased", $"User {userId} is erased and cannot write a new review.");

            var saved = await AddAsync(command.Body, productId, userId, ct);
            await transaction.CommitAsync();
            return saved;
        }

        private async Task<Saved> AddAsync(ReviewInput.Body body, int productId, int userId, CancellationToken ct)
        {
            var isVerifiedPurchase = await db.Orders.AnyAsync(
                order => order.UserId == userId
                    && order.Status == OrderStatus.Delivered
                    && order.Items.Any(item => item.ProductId == productId),
                ct);

            var review = Review.New(body, isVerifiedPurchase, clock.GetUtcMicroseconds());
            await db.AddNewAsync(review, ct);
            outbox.Add(review.Created());
            await db.InsertAsync();
            return new Saved(review.Id, review.Version);
        }
    }
}
