using ApexShop.Prove.Checks;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

/// <summary>A shop with two processes of Queries.Api, which the live runs use one after the other.</summary>
public sealed class LiveShop : IAsyncLifetime
{
    private const int LeastRequests = 800;

    internal TestShopControl Control { get; private set; } = null!;

    internal TestKit.Shop Shop { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Shop = await TestKit.Shop.StartAsync(ShopServers.Shared, ("Sessions__Key", TestKeys.Sessions));
        Control = new(Shop, await Shop.AddQueriesAsync());
    }

    public async Task DisposeAsync() => await Shop.DisposeAsync();

    /// <summary>Runs clients, and returns the history and what the checks find in it.</summary>
    internal async Task<(History History, List<Violation> Violations)> RunAsync(
        ITestOutputHelper output, double seconds, string faults, ShopAddresses? addresses = null)
    {
        // A new plan in each run: the number that is printed repeats it.
        var seed = Random.Shared.Next(1, 1_000_000);
        output.WriteLine($"seed {seed}, {seconds} s, faults {faults}");
        var folder = Directory.CreateTempSubdirectory("apexshop prove ");
        var run = new ProveRun(
            addresses ?? Control.Addresses, faults == "none" ? null : Control,
            new ProveOptions(seed, seconds, 6, faults, folder.FullName), isExclusive: true,
            text => output.WriteLine(text))
        {
            Quiet = TimeSpan.FromSeconds(1), LeastRequests = LeastRequests, ReadsLists = addresses is null,
        };
        var history = await run.RunAsync(CancellationToken.None);
        output.WriteLine(Summary.Of(history));
        folder.Delete(recursive: true);
        return (history, Check.Run(history));
    }
}

[CollectionDefinition(Name)]
public sealed class LiveRuns : ICollectionFixture<LiveShop>
{
    public const string Name = "live";
}
