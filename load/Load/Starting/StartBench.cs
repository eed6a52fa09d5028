using System.Diagnostics;
using ApexShop.Load.ReadSide;
using ApexShop.Load.WriteSide;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Bodies = ApexShop.TestKit.Clients.Bodies;

namespace ApexShop.Load.Starting;

/// <summary>
/// From the start of each process until it is ready, compared with a minimal empty app: as it is built, compiled just
/// in time, and as it is published for the images, compiled before; Queries.Api also as it is compiled ahead of time.
/// The others run meanwhile, without load.
/// </summary>
internal static class StartBench
{
    public const string Verb = "start";

    private const int Rounds = 9;
    private const string Live = "/health/live";
    private const string Ready = "/health/ready";
    private const string Document = "/products/1";

    /// <param name="published">The folder that has a folder for each published program.</param>
    /// <param name="options">How many rounds, and where their times are written.</param>
    /// <param name="ct">Cancels the benchmark.</param>
    /// <returns>0 if every goal is reached, 1 if one is missed.</returns>
    public static async Task<int> RunAsync(string published, BenchOptions options, CancellationToken ct)
    {
        await using var shop = await StartShopAsync();
        var control = new List<double>();
        var starts = (StartedProgram[])
        [
            new(
                "Queries.Api as published", shop.Queries, Published(ShopPrograms.Queries),
                (Live, 1.3), (Document, 1.9)),
            new(
                "Queries.Api ahead of time", shop.Queries, Path.Combine(published, "ahead"),
                (Live, 1.3), (Document, 1.9)),
            new("Queries.Api as built", shop.Queries, Built(ShopPrograms.Queries), (Live, null), (Document, null)),
            new("Commands.Api as published", shop.Commands, Published(ShopPrograms.Commands), (Ready, 3.5)),
            new("Commands.Api as built", shop.Commands, Built(ShopPrograms.Commands), (Ready, null)),
            new("Projector as published", shop.Projector, Published(ShopPrograms.Projector), (Ready, null)),
            new("Projector as built", shop.Projector, Built(ShopPrograms.Projector), (Ready, null)),
        ];
        // The first round reads the files for the first time, and is not counted.
        for (var round = 0; round <= options.Rounds(Rounds); round++)
        {
            var bare = await ControlAsync(ct);
            if (round > 0) control.Add(bare);
            foreach (var start in starts) await start.RunAsync(isCounted: round > 0, ct);
            await options.ReportAsync($"  round {round} of {options.Rounds(Rounds)}: control {bare:0} ms");
        }

        return await Figure.WriteAsync(options.Progress, [
            Figure.Of("minimal empty app, compiled just in time: first response", "ms", "0", control),
            .. starts.SelectMany(start => start.Figures(control)),
        ]);

        string Published(string program) => Path.Combine(published, program, "release");
        string Built(string program) => ShopPrograms.Folder(program);
    }

    // With the one document that is requested.
    private static async Task<TestKit.Shop> StartShopAsync()
    {
        var shop = await TestKit.Shop.StartAsync(settings: new Dictionary<string, string>
        {
            ["Logging__LogLevel__Default"] = "Warning",
        });
        var client = new ShopClient(shop);
        var category = await client.CreateAsync("categories", Bodies.Category("Lamps"));
        var product = await client.CreateAsync("products", Bodies.Product(category.Id));
        await client.SeesAsync("products", product.Id, _ => true);
        return shop;
    }

    private static async Task<double> ControlAsync(CancellationToken ct)
    {
        await using var bare = new ControlProcess(null);
        var started = Stopwatch.GetTimestamp();
        bare.Start();
        return await FirstResponse.OfAsync(bare.Url, Live, started, ct);
    }
}
