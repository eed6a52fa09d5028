using ApexShop.Commands.Api.Outbox;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Messaging;

/// <summary>The exchange as a process of Commands.Api publishes to it, with confirms.</summary>
internal sealed class EventBusModel(SimulatedProcess process, BrokerServer broker, Network network) : IEventBus
{
    public Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct) => LimitedAsync(
        network.CallAsync<bool>(
            process,
            broker.Server,
            "publish",
            reply =>
            {
                if (!broker.Publish(batch)) throw new ServerException(new IOException("No queue is bound."));
                reply.Give(true);
            },
            ct),
        limit);

    public Task ProbeAsync(TimeSpan limit, CancellationToken ct) =>
        LimitedAsync(network.CallAsync(process, broker.Server, "probe broker", () => { }, ct), limit);

    private Task LimitedAsync(Task sent, TimeSpan limit) => sent.WaitAsync(limit, process.Clock);
}
