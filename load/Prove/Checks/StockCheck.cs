using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class StockCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var movements = Movements(history.Log, out var placed);
        var stocks = new Dictionary<int, int>();
        foreach (var one in history.Log.Where(one => one.Resource == Kinds.Products))
        {
            if (one.Kind == EventKind.Deleted) continue;
            if (one.State.Stock < 0) yield return $"{one} has stock {one.State.Stock}";
            if (one.Kind == EventKind.Changed
                && Explain(history, one, stocks.GetValueOrDefault(one.Aggregate), movements) is { } wrong)
                yield return wrong;
            stocks[one.Aggregate] = one.State.Stock;
        }

        foreach (var (key, quantity) in movements.Where(left => left.Value != 0))
            yield return $"{placed[key]} moves {quantity} of product {key.Product}, whose stock has no such event";
    }

    /// <summary>What orders take and give back, by the trace of the change and the product.</summary>
    private static Dictionary<(string Trace, int Product), long> Movements(
        IReadOnlyList<LogEvent> log, out Dictionary<(string Trace, int Product), LogEvent> origin)
    {
        var movements = new Dictionary<(string, int), long>();
        origin = [];
        var orders = new Dictionary<int, AggregateState>();
        foreach (var one in log.Where(one => one.Resource == Kinds.Orders))
        {
            var before = orders.GetValueOrDefault(one.Aggregate);
            var sign = SignOf(before, one);
            foreach (var line in sign == 0 ? [] : (before ?? one.State).Lines)
            {
                var key = (one.Trace, line.ProductId);
                movements[key] = movements.GetValueOrDefault(key) + (sign * (long)line.Quantity);
                origin[key] = one;
            }

            orders[one.Aggregate] = one.State;
        }

        return movements;
    }

    private static int SignOf(AggregateState? before, LogEvent order)
    {
        if (before is null) return -1;
        var reserved = before.Status is "Pending" or "Processing";
        return reserved && (order.Kind == EventKind.Deleted || order.State.Status == "Cancelled") ? 1 : 0;
    }

    private static string? Explain(
        History history, LogEvent one, int before, Dictionary<(string Trace, int Product), long> movements)
    {
        var moved = (long)one.State.Stock - before;
        if (movements.TryGetValue((one.Trace, one.Aggregate), out var expected))
        {
            movements[(one.Trace, one.Aggregate)] = 0;
            return moved == expected ? null : $"{one} moves {moved}, its order {expected}";
        }

        // What others change in a shop that is not ours alone has no request in the history.
        if (history.AttemptOf(one.Trace) is not { } attempt) return null;
        if (attempt.Stock is { } stock)
            return one.State.Stock == stock ? null : $"{one} has stock {one.State.Stock}, {attempt} set {stock}";
        return moved == (attempt.Delta ?? 0) ? null : $"{one} moves {moved}, {attempt} asked for {attempt.Delta ?? 0}";
    }
}
