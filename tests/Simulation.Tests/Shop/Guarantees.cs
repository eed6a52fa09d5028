using ApexShop.Caching;
using ApexShop.Events;
using ApexShop.Simulation.Tests.Messaging;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Writing;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>A guarantee of the shop that a schedule has broken.</summary>
internal sealed class BrokenGuarantee(string message) : Exception(message);

/// <summary>What must hold at every commit, acknowledgement, raise and move of the cursor.</summary>
internal sealed class Guarantees
{
    private readonly SimulatedShop shop;
    private readonly HashSet<long> enqueued = [];
    private readonly Dictionary<string, long> checkpoints = [];
    private readonly Dictionary<(string, int), long> applied = [];
    private readonly Dictionary<string, long> commitOfRaise = [];
    private readonly Dictionary<string, long> raisedAt = [];
    private readonly Dictionary<string, long> changedAt = [];

    public Guarantees(SimulatedShop shop)
    {
        this.shop = shop;
        shop.Broker.Enqueued = message => enqueued.UnionWith(message.Events.Select(entry => entry.Position));
        shop.Broker.Acknowledged = Acknowledged;
        shop.Write.Publishing = Publishing;
        shop.Read.Committed = Committed;
        shop.Read.Cleared = Cleared;
        shop.Redis.Announcing = Announcing;
    }

    /// <summary>Checks that a page was caused to be read again after the response, named for its tag.</summary>
    public static string TagOf(int page) => page switch
    {
        0 => CacheTags.Collection("products"),
        Pages.Lists - 1 => CacheTags.Collection("categories"),
        < Pages.Lists => CacheTags.Of("categories", page, "products"),
        _ => CacheTags.Document("products", page - Pages.Lists),
    };

    /// <summary>The last commit when an announcement was sent.</summary>
    public long CommitOf(string announcement) => commitOfRaise.GetValueOrDefault(announcement);

    private void Publishing(long position)
    {
        for (var one = shop.Write.Published + 1; one <= position; one++)
        {
            if (!enqueued.Contains(one)) Broken($"The cursor moves to {position}, and {one} is not in the queue.");
        }
    }

    private void Acknowledged(QueuedMessage message)
    {
        foreach (var entry in message.Events)
        {
            if (shop.Read.Checkpoints[entry.Resource].Position < entry.Position)
                Broken($"{entry.Resource} {entry.Position} is acknowledged and not applied.");
        }
    }

    private void Committed(IReadOnlyList<RowChange> changes)
    {
        foreach (var (resource, (position, _)) in shop.Read.Checkpoints) Reach(resource, position);
        foreach (var change in changes)
        {
            if (change.Before?.Version > change.After.Version)
                Broken($"{change.Resource}/{change.Id} goes back to version {change.After.Version}.");
        }

        foreach (var ((resource, id), version) in applied)
        {
            if (shop.Read.Documents.GetValueOrDefault((resource, id))?.Version != version)
                Broken($"{resource}/{id} is not of version {version}, as the log is at the checkpoint.");
        }

        var pages = changes.SelectMany(PagesOf).Distinct().ToList();
        shop.Pages.Changed(pages, shop.Scheduler.Now);
        foreach (var page in pages) changedAt[TagOf(page)] = shop.Pages.Commits;
    }

    private void Reach(string resource, long position)
    {
        var before = checkpoints.GetValueOrDefault(resource);
        if (position < before) Broken($"The checkpoint of {resource} goes back from {before} to {position}.");
        checkpoints[resource] = position;
        for (var one = before; one < position; one++)
        {
            var entry = shop.Write.Events[(int)one];
            if (entry.Resource != resource) continue;
            var key = (resource, entry.AggregateId);
            applied[key] = applied.GetValueOrDefault(key) + 1;
        }
    }

    private void Announcing(string message)
    {
        if (message[0] == '?') return;
        commitOfRaise[message] = shop.Pages.Commits;
        foreach (var tag in message.Split(' ').Skip(2)) raisedAt[tag] = shop.Pages.Commits;
    }

    private void Cleared(string[] tags)
    {
        foreach (var tag in tags)
        {
            if (changedAt.GetValueOrDefault(tag) > raisedAt.GetValueOrDefault(tag))
                Broken($"The tag {tag} is cleared and was not raised after commit {changedAt[tag]}.");
        }
    }

    private static IEnumerable<int> PagesOf(RowChange change)
    {
        if (change.Resource == "categories") return [Pages.Lists - 1];
        int[] lists = [0, change.Before?.Category ?? 0, change.After.Category];
        return [.. lists, Pages.Document(change.Id)];
    }

    private void Broken(string message) => shop.Scheduler.Fail(new BrokenGuarantee(message));
}
