using MassTransit;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Publishes messages to RabbitMQ; the only type that configures MassTransit.</summary>
internal sealed class EventBus : IEventBus, IAsyncDisposable
{
    private static readonly TimeSpan stopLimit = TimeSpan.FromSeconds(5);

    private readonly LastBusFailure log = new();
    private readonly CancellationTokenSource stopping = new();
    private readonly Lazy<IBusControl> bus;
    private readonly Uri probes;

    // The start does not wait for MassTransit's types, which the first message of a background loop needs first.
    public EventBus(IOptions<MessagingOptions> options)
    {
        probes = new Uri($"exchange:{options.Value.Exchange}.probe?type=fanout&temporary=true");
        LogContext.ConfigureCurrentLogContext(log);
        bus = new(() => Start(options.Value));
    }

    private IBusControl Start(MessagingOptions options)
    {
        var created = Bus.Factory.CreateUsingRabbitMq(rabbit =>
        {
            rabbit.Host(new Uri(options.Url), host =>
            {
                host.PublisherConfirmation = true;
                host.Heartbeat(TimeSpan.FromSeconds(5));
                host.RequestedConnectionTimeout(TimeSpan.FromSeconds(2));
                host.ConnectionName("apexshop commands");
            });
            rabbit.Message<CloudEventsBatch>(message => message.SetEntityName(options.Exchange));
            rabbit.Publish<CloudEventsBatch>(exchange =>
            {
                exchange.ExchangeType = "topic";
                // For a type that is not public MassTransit would create a temporary exchange.
                exchange.Durable = true;
                exchange.AutoDelete = false;
            });
            rabbit.AddSerializer(new CloudEventsSerializer());
        });
        _ = created.StartAsync(stopping.Token);
        return created;
    }

    public Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct) =>
        LimitedAsync(limit, limited => bus.Value.Publish(new CloudEventsBatch(batch), context =>
        {
            context.SetRoutingKey(resource);
            context.Mandatory = true;
            context.Durable = true;
        }, limited), ct);

    public Task ProbeAsync(TimeSpan limit, CancellationToken ct) =>
        LimitedAsync(limit, async limited =>
        {
            var exchange = await bus.Value.GetSendEndpoint(probes);
            await exchange.Send(new CloudEventsBatch([]), limited);
        }, ct);

    // MassTransit itself would wait without a limit for a broker that is unavailable.
    private async Task LimitedAsync(TimeSpan limit, Func<CancellationToken, Task> send, CancellationToken ct)
    {
        // Before the limit begins.
        _ = bus.Value;
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(limit);
        try
        {
            await send(limited.Token).WaitAsync(limit * 2, ct);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException($"The broker has not confirmed a message within {limit}.", log.LastFailure);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await stopping.CancelAsync();
        using var limited = new CancellationTokenSource(stopLimit);
        if (bus.IsValueCreated) await bus.Value.StopAsync(limited.Token);
        stopping.Dispose();
    }
}
