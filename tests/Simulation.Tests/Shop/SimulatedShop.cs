using System.Diagnostics.Metrics;
using ApexShop.Caching;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Queries.Api.Caching;
using ApexShop.Simulation.Tests.Caching;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Messaging;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Writing;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>The processes of a shop over the models of its servers.</summary>
internal sealed class SimulatedShop
{
    public SimulatedShop(Scheduler scheduler, Bugs bugs)
    {
        (Scheduler, Bugs) = (scheduler, bugs);
        var random = scheduler.Random;
        Faults = new(random);
        Network = new(scheduler, Faults);
        Write = new(scheduler.World.Clock);
        Read = new(scheduler.World.Clock, bugs);
        Broker = new(scheduler, bugs);
        Redis = new(scheduler, bugs);
        Pages = new(Read);
        Writers = new(Write, Network);
        Guarantees = new(this);
        Prefetch = random.Of(1, 4, 64);
        Outbox = new()
        {
            PublisherBatch = random.Of(2, 10, 1_000),
            SequencerBatch = random.Of(2, 5_000),
            Lease = TimeSpan.FromSeconds(random.Of(2, 10)),
        };
        Commands = [.. OneOrTwo().Select(n => new CommandsNode(this, $"commands {n}"))];
        Projectors = [.. OneOrTwo().Select(n => new ProjectorNode(this, $"projector {n}"))];
        Queries = [.. OneOrTwo().Select(n => new QueriesNode(this, $"queries {n}"))];

        IEnumerable<int> OneOrTwo() => Enumerable.Range(1, 1 + random.Next(2));
    }

    /// <summary>The metrics of the processes are not measured.</summary>
    public static IMeterFactory NoMeters { get; } = new UnkeptMeters();

    /// <summary>
    /// The slots of a fence. The hash of a text is another one in each run of .NET; with this many, no two tags of the
    /// schedules share a slot, so that a schedule is the same in each run.
    /// </summary>
    public static int Slots { get; } = SlotsWithoutCollision();

    public Scheduler Scheduler { get; }

    public Bugs Bugs { get; }

    public FaultPlan Faults { get; }

    public Network Network { get; }

    public ShopServer Write { get; }

    public ReadServer Read { get; }

    public BrokerServer Broker { get; }

    public RedisServer Redis { get; }

    public Pages Pages { get; }

    public Writers Writers { get; }

    public Guarantees Guarantees { get; }

    public OutboxOptions Outbox { get; }

    public int Prefetch { get; }

    public IReadOnlyList<CommandsNode> Commands { get; }

    public IReadOnlyList<ProjectorNode> Projectors { get; }

    public IReadOnlyList<QueriesNode> Queries { get; }

    public IReadOnlyList<Node> Nodes => [.. Commands, .. Projectors, .. Queries];

    /// <summary>The connections of Projectors to the broker.</summary>
    public List<ModelConnection> Connections { get; } = [];

    private static int SlotsWithoutCollision()
    {
        string[] tags =
        [
            CacheTags.Everything,
            .. Enumerable.Range(0, Pages.Lists + 60).Select(Guarantees.TagOf),
            .. Enumerable.Range(1, Writers.Categories).Select(id => CacheTags.Document("categories", id)),
        ];
        var slots = 1 << 12;
        while (new TagFence(TimeProvider.System, slots).SlotsOf(tags).Distinct().Count() < tags.Length) slots *= 2;
        return slots;
    }
}
