using System.Globalization;
using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Scenarios;

/// <summary>What a visitor does from one page to the next; each step uses what the one before it has shown.</summary>
internal sealed class Workflows(Requests shop)
{
    public const string Group = "workflows";

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan during = TimeSpan.FromSeconds(20);

    public IEnumerable<Scenario> Scenarios() =>
    [
        new Scenario(
            "browse_and_review", Group, "A category, a product, its reviews, a review of one's own, seen at once",
            BrowseAndReviewAsync)
            { Clean = shop.CleanAsync }
            .WithLoad(RampingInject(8, second, during / 4), Inject(8, second, during * 0.75))
            .WithThresholds(Expected.Of(1_000)),
        new Scenario(
            "create_order_workflow", Group,
            "A category, a product, an order of up to three, its payment, each seen at once", OrderAsync)
            { Clean = shop.CleanAsync }
            .WithLoad(RampingInject(8, second, during / 4), Inject(8, second, during * 0.75))
            .WithThresholds(Expected.Of(1_000)),
        // A password is hashed as slowly as it should be: a few of these fill a core.
        new Scenario(
            "user_registration_and_browse", Group, "A new user, seen at once, looks at a page and a product",
            RegisterAsync)
            { Clean = shop.CleanAsync }
            .WithLoad(RampingInject(3, second, during / 4), Inject(3, second, during * 0.75))
            .WithThresholds(Expected.Of(1_500)),
    ];

    private async Task BrowseAndReviewAsync(Iteration iteration, CancellationToken ct)
    {
        var page = await shop.CategoryPageAsync(iteration, ct);
        var product = await shop.ProductAsync(iteration, page.Data.Pick().Number("id"), ct);
        var reviews = await shop.ReviewsAsync(iteration, product.Id, ct);
        // One review of a product is all that a user has.
        var silent = shop.Data.Users.Except(reviews.Data.Select(review => review.Reference("user"))).ToList();
        var rating = Random.Shared.Next(1, 6);
        var review = await shop.CreateAsync(
            iteration, "write_review", "reviews", Inputs.Review(product.Id, silent.Pick(), rating), ct);
        await shop.SeeAsync(
            iteration, "see_review", "reviews", review, "rating", rating.ToString(CultureInfo.InvariantCulture), ct);
    }

    private async Task OrderAsync(Iteration iteration, CancellationToken ct)
    {
        await shop.CategoryPageAsync(iteration, ct);
        var wanted = Enumerable.Range(0, Random.Shared.Next(1, 4)).Select(_ => shop.Data.Sellable.Pick().Id).ToList();
        await shop.ProductAsync(iteration, wanted[0], ct);
        var order = await shop.CreateAsync(
            iteration, "place_order", "orders", Inputs.Order(shop.Data.Users.Pick(), wanted), ct);
        await shop.SeeAsync(iteration, "see_order", "orders", order, "status", "Pending", ct);
        var paid = await shop.ReplaceOrderAsync(iteration, "pay_order", order.Id, "Processing", ct);
        await shop.SeeAsync(iteration, "see_payment", "orders", paid, "status", "Processing", ct);
    }

    private async Task RegisterAsync(Iteration iteration, CancellationToken ct)
    {
        var email = Inputs.Email();
        var user = await shop.CreateAsync(iteration, "register", "users", Inputs.User(email), ct);
        await shop.SeeAsync(iteration, "see_user", "users", user, "email", email, ct);
        var page = await shop.PageAsync(iteration, ct);
        await shop.ProductAsync(iteration, page.Data.Pick().Number("id"), ct);
    }
}
