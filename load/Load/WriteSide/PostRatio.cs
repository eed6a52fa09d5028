namespace ApexShop.Load.WriteSide;

/// <summary>
/// POST /products against one plain insert of the same row, in turns in one process. Between two rounds the outbox is
/// published to its end, so that no round pays for another.
/// </summary>
internal static class PostRatio
{
    private const int Connections = 8;
    private const int Pairs = 15;
    private const double Goal = 0.7;

    private static readonly TimeSpan warmUp = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan round = TimeSpan.FromSeconds(1.5);

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(Connections);
        var body = Bodies.Json(Bodies.Product(await Bodies.CreateCategoryAsync(client, ct)));
        await RoundAsync(Host.ControlPath, warmUp);
        await RoundAsync("/products", warmUp);

        var (controls, products) = (new List<double>(), new List<double>());
        for (var pair = 1; pair <= Pairs; pair++)
        {
            controls.Add(await RoundAsync(Host.ControlPath, round));
            products.Add(await RoundAsync("/products", round));
            await progress.WriteLineAsync(FormattableString.Invariant(
                $"  pair {pair} of {Pairs}: plain insert {controls[^1]:0} a second, POST /products {products[^1]:0}, ratio {products[^1] / controls[^1]:0.00}"));
        }

        return
        [
            Figure.OfRatio($"POST /products, rate at {Connections} connections against a plain insert's",
                [.. products.Zip(controls, (product, control) => product / control)], "at least 0.70", ratio => ratio >= Goal),
            Figure.Of("POST /products", "a second", "0", products),
            Figure.Of("the plain insert", "a second", "0", controls),
        ];

        async Task<double> RoundAsync(string path, TimeSpan duration)
        {
            await shop.DrainedAsync();
            return await ClosedLoop.RateAsync(Connections, duration, async token =>
            {
                using var answer = await client.PostAsync(path, Bodies.Content(body), token);
                answer.EnsureSuccessStatusCode();
            }, ct);
        }
    }
}
