namespace ApexShop.Load.WriteSide;

/// <summary>
/// POST /orders of two items against an endpoint of the same process that takes the items from stock and inserts the
/// order by EF Core in one transaction, without locks, versions and events.
/// </summary>
internal static class OrderRatio
{
    private const int Products = 1000;
    private const int WarmUps = 4;
    private const int Pairs = 11;

    // Enough for all rounds of both sides.
    private const int Stock = 100_000_000;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(CommandLoad.Connections);
        var category = await Bodies.CreateCategoryAsync(client, ct);
        var products = Bodies.Json(Enumerable.Repeat(Bodies.Product(category) with { Stock = Stock }, Products));
        await Bodies.TimeAsync(() => client.PostAsync(BulkRatio.Path, Bodies.Content(products), ct));
        var user = await Bodies.CreateUserAsync(client, ct);
        var plain = new CommandLoad(shop, client, Host.OrderPath, Order);
        var order = new CommandLoad(shop, client, "/orders", Order);
        var turns = new Turns(shop, () => plain.RunAsync(ct), () => order.RunAsync(ct));
        await turns.WarmUpAsync(WarmUps);
        await turns.TakeAsync(Pairs, "a second", progress);
        return
        [
            Figure.OfRatio("POST /orders of 2 items, rate at 8 connections against a plain order's", turns.Ratios),
            Figure.Of("POST /orders", "a second", "0", turns.Command),
            .. order.Costs("POST /orders", Pairs, 380, 480),
            Figure.Of("the plain order", "a second", "0", turns.Plain),
            .. plain.Costs("the plain order", Pairs),
        ];

        // Two of the thousand products, which have the ids from 1.
        byte[] Order()
        {
            var first = Random.Shared.Next(Products);
            var second = (first + 1 + Random.Shared.Next(Products - 1)) % Products;
            return Bodies.Json(Bodies.Order(user, first + 1, second + 1));
        }
    }
}
