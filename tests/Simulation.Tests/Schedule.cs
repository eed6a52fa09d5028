using ApexShop.Events;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Shop;

namespace ApexShop.Simulation.Tests;

/// <summary>
/// A run of the whole shop that follows from its seed: some seconds of changes, reads and faults, then rest, at which
/// everything must be equal.
/// </summary>
internal sealed class Schedule
{
    // The watch for lost messages reads the log every 30 seconds, and a second time before it counts them as lost.
    private static readonly TimeSpan patience = TimeSpan.FromSeconds(100);
    private static readonly TimeSpan look = TimeSpan.FromMilliseconds(500);

    private readonly Scheduler scheduler;
    private readonly SimulatedShop shop;
    private readonly Readers readers;

    public Schedule(long seed, Bugs? bugs = null)
    {
        Seed = seed;
        scheduler = new(seed);
        shop = new(scheduler, bugs ?? new Bugs());
        readers = new(shop);
    }

    public long Seed { get; }

    public Trace Trace => scheduler.Trace;

    public int Responses => readers.Responses;

    public int Events => shop.Write.Events.Count;

    public Exception? Failure => scheduler.Failure;

    /// <summary>Null, or what was broken, with the last events before it.</summary>
    public string? Run()
    {
        var busy = TimeSpan.FromSeconds(scheduler.Random.Of(1, 3, 6));
        var chaos = new Chaos(shop);
        foreach (var node in shop.Nodes) node.Start();
        scheduler.World.Run(() => shop.Writers.RunAsync(busy));
        scheduler.World.Run(() => readers.RunAsync(busy));
        if (scheduler.Random.Next(8) > 0) scheduler.World.Run(() => chaos.RunAsync(busy));
        else shop.Faults.Heal();
        scheduler.RunUntil(busy);
        chaos.Heal();
        while (scheduler.Failure is null && !IsSettled)
        {
            if (scheduler.Elapsed > busy + patience) scheduler.Fail(new BrokenGuarantee(Unsettled()));
            scheduler.RunUntil(scheduler.Elapsed + look);
        }

        CheckDocuments();
        // Until the subscriptions are live again, and what was announced has arrived.
        scheduler.RunUntil(scheduler.Elapsed + TimeSpan.FromSeconds(3));
        readers.ReadAll();
        scheduler.RunUntil(scheduler.Elapsed + TimeSpan.FromSeconds(3));
        scheduler.End();
        return Failure is { } failure ? $"seed {Seed}: {failure}\n{Trace}" : null;
    }

    private bool IsSettled =>
        shop.Writers.HaveEnded && !shop.Write.HasOutbox && shop.Write.Published == shop.Write.Events.Count
        && shop.Broker.IsEmpty && !shop.Read.HasPending && IsApplied;

    private bool IsApplied => shop.Write.Events.GroupBy(entry => entry.Resource)
        .All(of => shop.Read.Checkpoints[of.Key].Position == of.Last().Position);

    private string Unsettled() =>
        $"No rest: changes {!shop.Writers.HaveEnded}, outbox {shop.Write.HasOutbox}, "
        + $"published {shop.Write.Published} of {shop.Write.Events.Count}, queue empty {shop.Broker.IsEmpty}, "
        + $"pending tags {shop.Read.HasPending}, applied {IsApplied}.";

    private void CheckDocuments()
    {
        foreach (var ((resource, id), state) in shop.Writers.Rows)
        {
            var row = shop.Read.Documents.GetValueOrDefault((resource, id));
            if (row?.Version == state.Version && row.IsDeleted == state is DeletedState) continue;
            scheduler.Fail(new BrokenGuarantee($"{resource}/{id} is {row}, and its row {state}."));
        }
    }
}
