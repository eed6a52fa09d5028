using ApexShop.Events;
using ApexShop.Resources;
using ApexShop.Simulation.Tests.Faults;

namespace ApexShop.Simulation.Tests.Writing;

/// <summary>A change whose commit a client knows of.</summary>
internal sealed record CommittedChange(string Resource, int Id, long Version);

/// <summary>Clients that change categories and products; an aggregate is locked until its commit.</summary>
internal sealed class Writers(ShopServer shop, Network network)
{
    public const int Categories = 2;
    public const int Products = 4;

    private static readonly DateTimeOffset created = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    // The ids of the products that are not deleted. An id is not used again.
    private readonly int[] products = [.. Enumerable.Range(1, Products)];
    private readonly HashSet<(string, int)> locked = [];
    private readonly Dictionary<(string Resource, int Id), IAggregateState> rows = [];
    private bool hasStopped;

    /// <summary>Whether every change has been committed or rolled back, and none follows.</summary>
    public bool HaveEnded => hasStopped && locked.Count == 0;

    /// <summary>The last committed state of each aggregate.</summary>
    public IReadOnlyDictionary<(string Resource, int Id), IAggregateState> Rows => rows;

    public List<CommittedChange> Committed { get; } = [];

    /// <summary>The ids of the products that are not deleted.</summary>
    public IReadOnlyList<int> ProductIds => products;

    public async Task RunAsync(TimeSpan until)
    {
        var random = network.Scheduler.Random;
        var longest = random.Of(50, 200, 1_000);
        while (network.Scheduler.Elapsed < until)
        {
            await Task.Delay(random.Between(1, longest), network.Scheduler.World.Clock);
            var isCategory = random.Next(5) == 0;
            var resource = (isCategory ? Resource.Categories : Resource.Products).Name;
            var id = isCategory ? 1 + random.Next(Categories) : products[random.Next(Products)];
            if (!locked.Add((resource, id))) continue;
            _ = ChangeAsync(resource, id);
        }

        hasStopped = true;
    }

    private async Task ChangeAsync(string resource, int id)
    {
        var random = network.Scheduler.Random;
        var (type, state) = Next(resource, id);
        var outboxId = shop.NextOutboxId();
        await Task.Delay(network.Faults.Delay(), network.Scheduler.World.Clock);
        // A rollback leaves an id that no row has.
        if (random.Next(10) > 0)
        {
            rows[(resource, id)] = state;
            if (state is DeletedState) products[Array.IndexOf(products, id)] = id + Products;
            shop.Commit(outboxId, type, resource, state);
            network.Scheduler.Trace.Add(network.Scheduler.Now, "client", $"commits {resource}/{id}", state.Version);
            Committed.Add(new(resource, id, state.Version));
            if (!network.Faults.IsLost()) shop.Notify();
        }

        locked.Remove((resource, id));
    }

    private (string Type, IAggregateState State) Next(string resource, int id)
    {
        var random = network.Scheduler.Random;
        var before = rows.GetValueOrDefault((resource, id));
        var version = (before?.Version ?? 0) + 1;
        if (resource == Resource.Categories.Name)
            return (EventTypes.CategoryUpdated, new CategoryState(id, $"C{version}", null, true, created, version));
        if (random.Next(40) == 0 && before is not null)
            return (EventTypes.ProductDeleted, new DeletedState(id, version));
        return (EventTypes.ProductUpdated, new ProductState(
            id, $"P{version}", null, 1, 1, true, false, 1 + random.Next(Categories), created, null,
            version, null, null, []));
    }
}
