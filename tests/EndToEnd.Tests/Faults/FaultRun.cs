using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>
/// 2,000 writes by six clients while every process is killed and started again and the broker is restarted.
/// The tests examine the result afterwards.
/// </summary>
public sealed class FaultRun : IAsyncLifetime
{
    private const int Writes = 2000;
    private const int Writers = 6;

    private readonly WriteGate gate = new();
    private PrivateBroker? broker;
    private Shop? shop;
    private EventRecorder? tap;

    public Shop Shop => shop!;

    internal EventRecorder Tap => tap!;

    internal Traffic Traffic { get; private set; } = null!;

    internal Reader Reader { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        broker = await PrivateBroker.StartAsync();
        shop = await Shop.StartAsync(broker.Url);
        tap = await EventRecorder.BindAsync(shop, Resource.Orders.Name);
        Traffic = await Traffic.PrepareAsync(shop, products: 30, users: 12, stock: 200);
        using var reading = new BlockCancellation();
        Reader = new Reader(shop.Queries.Http);
        var reader = Reader.RunAsync(reading.Token);

        var writers =
            Traffic.WriteAsync(gate, Writes, Writers, static (client, random) => client.AnythingAsync(random));
        var run = Task.WhenAll(writers, FaultsAsync());
        // With all causes: when a fault fails, writers may fail too.
        await run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (run.Exception is { } failure) throw failure;

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
        try
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
        }
        finally
        {
            // Otherwise the writers would wait for ever after a failure.
            gate.AllowUpTo(Writes);
        }
    }

    // The writers have more to do than is awaited: the process dies while it handles commands.
    private async Task ReachAsync(int writes)
    {
        gate.AllowUpTo(writes + 50);
        await gate.DoneAsync(writes);
    }

    private async Task RestartAsync(ShopProcess process, int at, int? backAt = null)
    {
        await ReachAsync(at);
        await process.KillAsync();
        if (backAt is { } back) await ReachAsync(back);
        process.Start();
    }

    // Commands work without a broker, also in a process that starts meanwhile.
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
