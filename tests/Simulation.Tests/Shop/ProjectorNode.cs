using ApexShop.Caching;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using ApexShop.Simulation.Tests.Caching;
using ApexShop.Simulation.Tests.Messaging;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Writing;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>A Projector, without its operators' requests and rebuilds.</summary>
internal sealed class ProjectorNode(SimulatedShop shop, string name) : Node(shop, name)
{
    private static readonly ProjectorMetrics metrics = new(SimulatedShop.NoMeters, TimeProvider.System);
    private static readonly Projections projections = new("USD");

    protected override void Compose(SimulatedProcess process)
    {
        var messaging = Options.Create(new MessagingOptions { Url = new("amqp://broker"), Prefetch = Shop.Prefetch });
        var redis = new RedisConnection(
            "redis", new ModelMultiplexer(process, Shop.Redis, Shop.Redis.OfProjectors, Shop.Network).ConnectAsync);
        var generations = new TagGenerations(
            redis, new CacheNames(), process.Clock, NullLogger<TagGenerations>.Instance);
        var store = new ProjectorStore(process, Shop.Read, Shop.Network, Shop.Bugs);
        var tags = new TagRaiser(Shop.Bugs.Tags(store), generations, process.Clock, NullLogger<TagRaiser>.Instance);
        var log = new EventLogModel(process, Shop);
        var transaction = new BatchTransaction(
            store, projections, tags, metrics, new ForeignLogs(), NullLogger<BatchTransaction>.Instance);
        var applier = new BatchApplier(
            transaction, new HoleFiller(transaction, log, metrics, NullLogger<HoleFiller>.Instance), metrics);
        EventConsumer? events = null;
        var logApplier = new LogApplier(store, log, applier, NullLogger<LogApplier>.Instance);
        var watch = new LogWatch(
            store,
            log,
            logApplier,
            async ct => await HasMessagesAsync(process, ct) || events!.HasDeliveries,
            process.Clock,
            NullLogger<LogWatch>.Instance);
        events = new EventConsumer(
            applier, projections, watch, messaging, process.Clock, NullLogger<EventConsumer>.Instance);
        var letters = new DeadLetterConsumer(
            null!, messaging, process.Clock, NullLogger<DeadLetterConsumer>.Instance);
        Run(process, tags);
        Run(process, watch);
        Run(process, new StallWatch(
            store, log, logApplier, () => events.HasDeliveries, process.Clock, NullLogger<StallWatch>.Instance));
        Run(process, new BrokerConnection(
            events, letters, messaging, SimulatedShop.NoMeters, process.Clock, NullLogger<BrokerConnection>.Instance,
            ModelConnection.To(process, Shop.Broker, Shop.Network, Shop.Connections)));
    }

    // As the probe of the queue: not known counts as none.
    private async Task<bool> HasMessagesAsync(SimulatedProcess process, CancellationToken ct)
    {
        var broker = Shop.Broker;
        try
        {
            return await Shop.Network.CallAsync(process, broker.Server, "count messages", () => broker.Ready > 0, ct);
        }
        catch (Exception exception) when (BrokerClient.IsUnavailable(exception))
        {
            return false;
        }
    }
}
