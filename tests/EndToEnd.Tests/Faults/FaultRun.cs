using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>
/// 2,000 writes by six clients while every process is killed and started again and the broker goes away under them.
/// The tests look at what is left afterwards.
/// </summary>
public sealed class FaultRun : IAsyncLifetime
{
    private const int Writes = 2000;
    private const int Writers = 6;

    private readonly Pace pace = new();
    private PrivateBroker? broker;
    private Shop? shop;
    private EventTap? tap;

    public Shop Shop => shop!;

    internal EventTap Tap => tap!;

    internal Traffic Traffic { get; private set; } = null!;

    internal Reader Reader { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        broker = await PrivateBroker.StartAsync();
        shop = await Shop.StartAsync(broker.Url);
        tap = await EventTap.BindAsync(shop, Resource.Orders.Name);
        Traffic = await Traffic.PrepareAsync(shop, products: 30, users: 12, stock: 200);
        using var reading = new CancellationTokenSource();
        Reader = new Reader(shop.Queries.Http);
        var reader = Reader.RunAsync(reading.Token);

        var writers = Traffic.WriteAsync(pace, Writes, Writers, static (client, random) => client.AnythingAsync(random));
        await Task.WhenAll(writers, FaultsAsync());

        await new ShopState(shop).ProjectedAsync(TimeSpan.FromMinutes(2));
        await reading.CancelAsync();
        await reader;
    }

    public async Task DisposeAsync()
    {
        if (tap is not null) await tap.DisposeAsync();
        if (shop is not null) await shop.DisposeAsync();
        if (broker is not null) await broker.DisposeAsync();
    }

    private async Task FaultsAsync()
    {
        await RestartAsync(Shop.Commands, at: 150);
        await RestartAsync(Shop.Projector, at: 300, backAt: 450);
        await BrokerUnavailableAsync(from: 600, to: 900);
        await RestartAsync(Shop.Projector, at: 1050);
        await RestartAsync(Shop.Queries, at: 1150, backAt: 1250);
        await RestartAsync(Shop.Commands, at: 1350);
        await BrokerBlinksAsync(at: 1500);
        await RestartAsync(Shop.Commands, at: 1650);
        await RestartAsync(Shop.Projector, at: 1750);
        await RestartAsync(Shop.Commands, at: 1850);
        pace.AllowUpTo(Writes);
    }

    // The writers have more to do than is waited for: the process dies with commands in its hands.
    private async Task ReachAsync(int writes)
    {
        pace.AllowUpTo(writes + 50);
        await pace.DoneAsync(writes);
    }

    private async Task RestartAsync(ShopProcess process, int at, int? backAt = null)
    {
        await ReachAsync(at);
        await process.KillAsync();
        if (backAt is { } back) await ReachAsync(back);
        process.Start();
    }

    // Commands go on without a broker, and a commands process that starts meanwhile does too.
    private async Task BrokerUnavailableAsync(int from, int to)
    {
        await ReachAsync(from);
        await broker!.Node.KillAsync();
        await RestartAsync(Shop.Commands, at: (from + to) / 2);
        await ReachAsync(to);
        broker.Node.Start();
        await broker.ReadyAsync();
    }

    private async Task BrokerBlinksAsync(int at)
    {
        await ReachAsync(at);
        await broker!.Node.KillAsync();
        broker.Node.Start();
    }
}
