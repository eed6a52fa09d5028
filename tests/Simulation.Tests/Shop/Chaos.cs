using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>Faults of whole processes and servers, at times that follow from the seed.</summary>
internal sealed class Chaos(SimulatedShop shop)
{
    private readonly SeededRandom random = shop.Scheduler.Random;

    public async Task RunAsync(TimeSpan until)
    {
        var longest = random.Of(300, 1_000, 5_000);
        while (shop.Scheduler.Elapsed < until)
        {
            await Task.Delay(random.Between(1, longest), shop.Scheduler.World.Clock);
            if (shop.Scheduler.Elapsed < until) Happen(random.Next(100));
        }
    }

    /// <summary>Everything responds, and no process hangs or is down.</summary>
    public void Heal()
    {
        shop.Faults.Heal();
        foreach (var server in Servers) server.IsDown = false;
        foreach (var node in shop.Nodes) node.Process.HungUntil = 0;
        shop.Scheduler.Release();
    }

    private Server[] Servers =>
        [shop.Write.Server, shop.Read.Server, shop.Broker.Server, shop.Redis.Server, shop.Redis.OfProjectors];

    private void Happen(int dice)
    {
        var node = shop.Nodes[random.Next(shop.Nodes.Count)];
        switch (dice)
        {
            case < 20: node.Process.Crash(); break;
            case < 35: node.Process.Hang(random.Between(0, random.Of(100, 3_000, 12_000))); break;
            case < 50: BreakSubscription(); break;
            case < 65: BreakConnection(); break;
            case < 69: Stop(shop.Redis.OfProjectors, () => { }); break;
            case < 72: StopRedis(); break;
            case < 78: Stop(shop.Broker.Server, BreakConnections); break;
            case < 84: StopRead(); break;
            case < 88: Stop(shop.Write.Server, () => { }); break;
            case < 93: shop.Redis.LoseData(isPromoted: random.Next(2) == 0); break;
            case < 98: shop.Redis.Evict(random); break;
            default: shop.Broker.LoseQueue(); break;
        }
    }

    private void BreakSubscription()
    {
        foreach (var subscription in shop.Redis.Subscriptions)
        {
            if (random.Next(2) == 0) subscription.Break();
        }
    }

    private void BreakConnection()
    {
        shop.Connections.RemoveAll(connection => !connection.IsOpenAtServer);
        if (shop.Connections.Count > 0) shop.Connections[random.Next(shop.Connections.Count)].Break();
    }

    private void StopRedis()
    {
        Stop(shop.Redis.Server, BreakSubscription);
        Stop(shop.Redis.OfProjectors, () => { });
    }

    // Decision 0025 does not cover a database that stops while tags wait to be raised.
    private void StopRead()
    {
        if (!shop.Read.PendingChanges().IsPending) Stop(shop.Read.Server, shop.Read.EndHolder);
    }

    // A server that is down has no connections.
    private void BreakConnections()
    {
        foreach (var connection in shop.Connections)
        {
            connection.EndAtServer();
            connection.Break();
        }
    }

    private void Stop(Server server, Action ended)
    {
        if (server.IsDown) return;
        server.IsDown = true;
        ended();
        shop.Scheduler.Trace.Add(shop.Scheduler.Now, server.Name, "is down");
        shop.Scheduler.After(random.Between(0, random.Of(100, 1_000, 6_000)), () => server.IsDown = false);
    }
}
