using System.Collections.Concurrent;
using System.Globalization;
using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Scenarios;

/// <summary>The steps of a visitor; each step uses the response of the step before.</summary>
internal sealed class Workflows(Requests shop)
{
    public const string Group = "workflows";

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan during = TimeSpan.FromSeconds(20);

    // Users who review a product in another iteration, which the list of reviews does not contain yet.
    private readonly ConcurrentDictionary<(int Product, int User), bool> reviewers = new();

    public IEnumerable<Scenario> Scenarios() =>
    [
        new Scenario(
            "browse_and_review", Group, "A category, a product, its reviews, a new review, read back immediately",
            BrowseAndReviewAsync)
            { Clean = shop.CleanAsync }
            .WithLoad(RampingInject(8, second, during / 4), Inject(8, second, during * 0.75))
            .WithThresholds(Expected.Of(1_000)),
        new Scenario(
            "create_order_workflow", Group,
            "A category, a product, an order of up to three, its payment, each read back immediately", OrderAsync)
            { Clean = shop.CleanAsync }
            .WithLoad(RampingInject(8, second, during / 4), Inject(8, second, during * 0.75))
            .WithThresholds(Expected.Of(1_000)),
        // Hashing a password is slow on purpose: a few of these use a whole core.
        new Scenario(
            "user_registration_and_browse", Group, "A new user, read back immediately, then a page and a product",
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
        // A user may have only one review of a product.
        var silent = shop.Data.Users.Except(reviews.Data.Select(review => review.Reference("user"))).ToList();
        var user = silent.Shuffle().First(other => reviewers.TryAdd((product.Id, other), true));
        var rating = Random.Shared.Next(1, 6);
        var review = await shop.CreateAsync(
            iteration, "write_review", "reviews", Inputs.Review(product.Id, user, rating), ct);
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
