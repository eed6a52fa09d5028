using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class OrderCheck
{
    private static readonly HashSet<(string From, string To)> steps =
    [
        ("Pending", "Processing"), ("Processing", "Shipped"), ("Shipped", "Delivered"), ("Pending", "Cancelled"),
        ("Processing", "Cancelled"),
    ];

    public static IEnumerable<string> Find(History history)
    {
        var orders = new Dictionary<int, AggregateState>();
        foreach (var one in history.Log.Where(one => one.Kind != EventKind.Deleted))
        {
            if (one.Resource != Kinds.Orders) continue;
            var before = orders.GetValueOrDefault(one.Aggregate);
            // The address of a closed order is erased too.
            var isErased = history.AttemptOf(one.Trace) is { Operation: "users.erase" } && one.State.IsErased;
            foreach (var text in before is null ? Placed(one.State) : Moved(before, one.State, isErased))
                yield return $"{one} {text}";
            if (before is null)
                foreach (var text in Priced(history, one)) yield return $"{one} {text}";
            orders[one.Aggregate] = one.State;
        }
    }

    /// <summary>Whether an order with a status may get another one, or the same again.</summary>
    public static bool MayBecome(string status, string next) => status == next || steps.Contains((status, next));

    /// <summary>The event of the stock that the order took has the price of that moment.</summary>
    private static IEnumerable<string> Priced(History history, LogEvent order) =>
        from line in order.State.Lines
        from stock in history.EventsOf(order.Trace)
        where stock.Resource == Kinds.Products && stock.Aggregate == line.ProductId
            && stock.State.Amount != line.UnitPrice
        select $"sells product {line.ProductId} for {line.UnitPrice} instead of {stock.State.Amount}";

    private static IEnumerable<string> Placed(AggregateState order)
    {
        if (order.Status != "Pending") yield return $"is placed as {order.Status}";
        var total = order.Lines.Sum(line => line.Quantity * line.UnitPrice);
        if (order.Amount != total) yield return $"costs {order.Amount}, its items {total}";
    }

    private static IEnumerable<string> Moved(AggregateState before, AggregateState order, bool isErased)
    {
        if (!MayBecome(before.Status, order.Status))
            yield return $"moves from {before.Status} to {order.Status}";
        if (!isErased && before.Status == order.Status && before.Status is "Delivered" or "Cancelled")
            yield return $"changes although it is {order.Status}";
        if (before.Amount != order.Amount || before.UserId != order.UserId || !before.Lines.SequenceEqual(order.Lines))
            yield return "changes its items, its total or its user";
    }
}
