using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class PurchaseCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var (possible, certain) = Deliveries(history);
        foreach (var time in history.Times.All)
        {
            if (time.Event is not { Resource: Kinds.Reviews } review) continue;
            var key = (review.State.UserId, review.State.ProductId);
            if (review.Kind == EventKind.Changed
                && history.EventAt(new(review.Resource, review.Aggregate, review.Version - 1)) is { } before
                && before.State.IsVerified != review.State.IsVerified)
                yield return $"{review} changes whether it is a verified purchase";
            if (review.Kind != EventKind.Created || review.Position <= history.Header.Base) continue;
            if (review.State.IsVerified && !possible.AnyIn(key, time.Earliest, time.Latest))
                yield return $"{review} is a verified purchase, and its user has not received the product";
            if (!review.State.IsVerified && certain.AnyOver(key, time.Earliest, time.Latest))
                yield return $"{review} is no verified purchase, and its user had received the product";
        }
    }

    /// <summary>When a user may have had, and certainly had, a delivered order with a product.</summary>
    private static (TimeSpans<(int User, int Product)> Possible, TimeSpans<(int User, int Product)> Certain) Deliveries(
        History history)
    {
        var (possible, certain) = (new TimeSpans<(int, int)>(), new TimeSpans<(int, int)>());
        foreach (var time in history.Times.All)
        {
            if (time is not { Event.Resource: Kinds.Orders, State: { Status: "Delivered" } order }) continue;
            foreach (var line in order.Lines)
            {
                var key = (order.UserId, line.ProductId);
                possible.Add(key, time.Earliest, time.Last);
                if (time.Latest < time.Next) certain.Add(key, time.Latest, time.Next);
            }
        }

        return (possible, certain);
    }
}
