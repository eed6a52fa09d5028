using ApexShop.Commands.Api.Outbox;
using ApexShop.Simulation.Tests.Messaging;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Writing;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>A process of Commands.Api: the leader's part of it.</summary>
internal sealed class CommandsNode(SimulatedShop shop, string name) : Node(shop, name)
{
    private static readonly PublishMetrics metrics = new(SimulatedShop.NoMeters);

    protected override void Compose(SimulatedProcess process)
    {
        var options = Options.Create(Shop.Outbox);
        var sessions = new ModelLeaderConnections(process, Shop.Write, Shop.Network);
        var bus = Shop.Bugs.Bus(new EventBusModel(process, Shop.Broker, Shop.Network));
        var (head, status) = (new LogHeadSignal(), new OutboxStatus());
        var lease = new LeaderLease(options, NullLogger<LeaderLease>.Instance);
        var probe = new BrokerProbe(bus, status, process.Clock, options, NullLogger<BrokerProbe>.Instance);
        var publisher = new EventPublisher(
            sessions, bus, head, lease, probe, metrics, process.Clock, options, NullLogger<EventPublisher>.Instance);
        Run(process, probe);
        Run(process, new OutboxLeader(
            sessions, lease, new Sequencer(head, lease, options), publisher, probe, status, process.Clock, options,
            NullLogger<OutboxLeader>.Instance));
    }
}
