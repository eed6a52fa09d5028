using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of the stock.</summary>
internal static class StockBugs
{
    private const string Check = "stock.movements";

    public static IEnumerable<PlantedBug> All =>
    [
        new(Check, "a delta is added twice", history =>
        {
            var attempt = history.Attempts.First(one => one.Operation == "products.stock" && one.Delta > 0
                && history.EventsOf(one.Trace).Any());
            return Move(history, history.EventsOf(attempt.Trace).First(), attempt.Delta!.Value);
        }),
        new(Check, "a stock is set to another value", history =>
        {
            var attempt = history.Attempts.First(one => one.Operation == "products.stock" && one.Stock is not null
                && history.EventsOf(one.Trace).Any());
            return Move(history, history.EventsOf(attempt.Trace).First(), 1);
        }),
        new(Check, "a replacement without a stock changes it", history =>
        {
            var attempt = history.Attempts.First(one => one.Operation == "products.replace" && one.Stock is null
                && history.EventsOf(one.Trace).Any());
            return Move(history, history.EventsOf(attempt.Trace).First(), -1);
        }),
        new(Check, "an order takes one piece too few", history => Move(history, StockOf(history, "order.placed"), 1)),
        new(Check, "an order takes nothing", history => history.Without(StockOf(history, "order.placed"))),
        new(Check, "a cancelled order gives nothing back", history =>
            history.Without(StockOf(history, "order.status-changed"))),
        new(Check, "a deleted order gives one piece too many back", history =>
            Move(history, StockOf(history, "order.deleted"), 1)),
        new(Check, "a stock is below zero", history =>
        {
            var one = StockOf(history, "order.placed");
            return history.Replace(one, one with { State = one.State with { Stock = -1 } });
        }),
    ];

    /// <summary>The change of stock that belongs to an event of an order.</summary>
    private static LogEvent StockOf(History history, string type) => history.Log
        .Where(one => one.Type == $"apexshop.{type}")
        .SelectMany(order => history.EventsOf(order.Trace))
        .First(one => one.Resource == Kinds.Products);

    private static History Move(History history, LogEvent one, int pieces) =>
        history.Replace(one, one with { State = one.State with { Stock = one.State.Stock + pieces } });
}
