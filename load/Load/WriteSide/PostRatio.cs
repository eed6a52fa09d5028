namespace ApexShop.Load.WriteSide;

/// <summary>
/// POST /products against one plain insert of the same row by EF Core, both through HTTP and in one process.
/// </summary>
internal static class PostRatio
{
    private const int WarmUps = 4;
    private const int Pairs = 15;
    private const double Goal = 0.7;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(CommandLoad.Connections);
        var body = Bodies.Json(Bodies.Product(await Bodies.CreateCategoryAsync(client, ct)));
        var post = new CommandLoad(shop, client, "/products", () => body);
        var plain = new CommandLoad(shop, client, Host.ControlPath, () => body);
        var turns = await AgainstAsync(plain);
        var costs = post.Costs("POST /products", Pairs, 180, 190);
        var same = await AgainstAsync(new CommandLoad(shop, client, Host.SamePoolPath, () => body));
        return
        [
            Figure.OfRatio("POST /products, rate at 8 connections against a plain insert's",
                turns.Ratios, "at least 0.70", ratio => ratio >= Goal),
            Figure.Of("POST /products", "a second", "0", turns.Command),
            .. costs,
            Figure.Of("the plain insert", "a second", "0", turns.Plain),
            .. plain.Costs("the plain insert", Pairs),
            Figure.OfRatio("POST /products, rate against an insert's over the command's own connections", same.Ratios),
            Figure.Of("that insert", "a second", "0", same.Plain),
        ];

        async Task<Turns> AgainstAsync(CommandLoad insert)
        {
            var turns = new Turns(shop, () => insert.RunAsync(ct), () => post.RunAsync(ct));
            await turns.WarmUpAsync(WarmUps);
            await turns.TakeAsync(Pairs, "a second", progress);
            return turns;
        }
    }
}
