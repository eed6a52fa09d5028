using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Commands that were possible and are refused.</summary>
internal static class RefusalBugs
{
    private const string Check = "commands.refusals";

    public static IEnumerable<PlantedBug> All =>
    [
        Refused("a product that exists is not found", "products.patch", 404, "product.not_found"),
        Refused("a user who exists is not found", "users.replace", 404, "user.not_found"),
        Refused("reviews that exist are not found", "reviews.bulk-replace", 404, "review.not_found"),
        Refused("the product of a deletion by age is not found", "reviews.delete-old", 404, "product.not_found"),
        new(Check, "the version that is current is refused", history => Refuse(
            history, "products.replace", 412, "version.mismatch", attempt => attempt.IfMatch is not null)),
        new(Check, "a refusal names a version that never was", history =>
        {
            var one = history.Attempts.First(attempt => attempt is { Status: 412, Current: not null });
            return history.Replace(one, one with { Current = AddedRead.NoId });
        }),
        Refused("an e-mail address that no user has is taken", "users.create", 409, "user.email_taken"),
        Refused("a slug of no product is taken", "products.create", 409, "product.slug_taken"),
        Refused("a review exists that no user has written", "reviews.create", 409, "review.exists"),
        Refused("a product is sold out that is in stock", "orders.create", 409, "product.sold_out"),
        Refused("a product is inactive that is for sale", "orders.create", 409, "product.inactive"),
        Refused("a user is inactive who is active", "orders.create", 409, "order.user_inactive"),
        Refused("a product is sold that no order has", "products.delete", 409, "product.sold"),
        Refused("a category has products and is empty", "categories.delete", 409, "category.has_products"),
        Refused("a user has orders and has none", "users.delete", 409, "user.has_orders"),
        Refused("a user has open orders and has none", "users.erase", 409, "user.has_open_orders"),
        Refused("a category is unknown that exists", "products.create", 409, "product.category_unknown"),
        Refused("a step of an order is refused", "orders.replace", 409, "order.status_refused"),
        Refused("an open order is closed", "orders.replace", 409, "order.closed"),
        Refused("a stock would be negative and is not", "products.stock", 409, "product.stock_below_zero"),
        Refused("a user is erased and is not", "users.replace", 409, "user.erased"),
        new(Check, "a key is used once and refused as reused", history =>
        {
            var one = history.Attempts.First(attempt => attempt.Key is not null
                && history.Attempts.Count(other => other.Key == attempt.Key) == 1);
            return history.Replace(one, one with
                { Outcome = Outcome.Refused, Status = 422, Code = "idempotency.key_reused" });
        }),
        new(Check, "an active customer is refused", history =>
        {
            var one = history.Attempts.First(attempt => attempt is
                { Operation: "orders.create", Customer: not null, Outcome: Outcome.Acknowledged, Replayed: false });
            return history.Replace(one, one with
                { Outcome = Outcome.Refused, Status = 403, Code = "access.customer_inactive" });
        }),
        Purchased("a review of what was not delivered is a verified purchase", isVerified: false),
        Purchased("a review of what was delivered is no verified purchase", isVerified: true),
    ];

    private static PlantedBug Refused(string name, string operation, int status, string code) =>
        new(Check, name, history => Refuse(history, operation, status, code, _ => true));

    /// <summary>
    /// A command that was accepted, without its events. Nothing else changed its aggregates meanwhile.
    /// </summary>
    private static History Refuse(
        History history, string operation, int status, string code, Func<Attempt, bool> condition)
    {
        var one = history.Attempts.First(attempt => attempt.Operation == operation && attempt.Key is null
            && attempt.Outcome == Outcome.Acknowledged && condition(attempt)
            && history.EventsOf(attempt.Trace).All(own => IsAlone(history, own, attempt)));
        var refused = one with { Outcome = Outcome.Refused, Status = status, Code = code, Saved = [] };
        foreach (var own in history.EventsOf(one.Trace).ToList()) history = history.Without(Same(history, own));
        return history.Replace(one, refused);
    }

    private static LogEvent Same(History history, LogEvent one) => history.Log.First(other => other.Id == one.Id);

    private static bool IsAlone(History history, LogEvent own, Attempt attempt) =>
        history.Times.In(own.Resource, own.Aggregate, attempt.Start, attempt.End)
            .All(time => ReferenceEquals(time.Event, own) || (time.Event?.Version ?? 0) == own.Version - 1);

    private static PlantedBug Purchased(string name, bool isVerified) => new("log.purchases", name, history =>
    {
        var review = history.Log.First(one => one.Resource == Kinds.Reviews && one.Kind == EventKind.Created
            && one.State.IsVerified == isVerified && (isVerified || !history.Log.Any(order =>
                order.Resource == Kinds.Orders && order.State.UserId == one.State.UserId)));
        return history.Replace(review, review with { State = review.State with { IsVerified = !isVerified } });
    });
}
