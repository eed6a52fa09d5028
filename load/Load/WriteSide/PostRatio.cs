namespace ApexShop.Load.WriteSide;

/// <summary>
/// POST /products against one plain insert of the same row by EF Core, both through HTTP and in one process.
/// </summary>
internal static class PostRatio
{
    private const int Connections = 8;
    private const int WarmUps = 4;
    private const int Pairs = 15;
    private const double Goal = 0.7;

    private static readonly TimeSpan round = TimeSpan.FromSeconds(1.5);

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(Connections);
        var body = Bodies.Json(Bodies.Product(await Bodies.CreateCategoryAsync(client, ct)));
        var turns = await AgainstAsync(Host.ControlPath);
        var same = await AgainstAsync(Host.SamePoolPath);
        return
        [
            Figure.OfRatio($"POST /products, rate at {Connections} connections against a plain insert's",
                turns.Ratios, "at least 0.70", ratio => ratio >= Goal),
            Figure.Of("POST /products", "a second", "0", turns.Command),
            Figure.Of("the plain insert", "a second", "0", turns.Plain),
            Figure.OfRatio("POST /products, rate against an insert's over the command's own connections", same.Ratios),
            Figure.Of("that insert", "a second", "0", same.Plain),
        ];

        async Task<Turns> AgainstAsync(string insert)
        {
            var turns = new Turns(shop, () => RateAsync(insert), () => RateAsync("/products"));
            await turns.WarmUpAsync(WarmUps);
            await turns.TakeAsync(Pairs, "a second", progress);
            return turns;
        }

        Task<double> RateAsync(string path) => ClosedLoop.RateAsync(Connections, round, async token =>
        {
            using var response = await client.PostAsync(path, Bodies.Content(body), token);
            response.EnsureSuccessStatusCode();
        }, ct);
    }
}
