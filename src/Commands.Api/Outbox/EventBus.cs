using MassTransit;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>The bus, and the only place that knows which one it is.</summary>
internal sealed class EventBus : IAsyncDisposable
{
    private static readonly TimeSpan stopLimit = TimeSpan.FromSeconds(5);

    private readonly LastBusFailure log = new();
    private readonly CancellationTokenSource stopping = new();
    private readonly IBusControl bus;
    private Task? started;

    public EventBus(IOptions<MessagingOptions> options)
    {
        LogContext.ConfigureCurrentLogContext(log);
        bus = Bus.Factory.CreateUsingRabbitMq(rabbit =>
        {
            rabbit.Host(options.Value.Url, host =>
            {
                host.PublisherConfirmation = true;
                host.Heartbeat(TimeSpan.FromSeconds(5));
                host.RequestedConnectionTimeout(TimeSpan.FromSeconds(2));
                host.ConnectionName("apexshop commands");
            });
            rabbit.Message<CloudEventsBatch>(message => message.SetEntityName(options.Value.Exchange));
            rabbit.Publish<CloudEventsBatch>(exchange =>
            {
                exchange.ExchangeType = "topic";
                // MassTransit takes a type that is not public for a temporary one, and so its exchange.
                exchange.Durable = true;
                exchange.AutoDelete = false;
            });
            rabbit.AddSerializer(new CloudEventsSerializer());
        });
    }

    /// <summary>What takes long of the first message, done before there is one; it waits for nothing.</summary>
    public void Start() => started ??= bus.StartAsync(stopping.Token);

    /// <summary>
    /// Returns when the broker has confirmed the message. It is durable, and mandatory: one that no queue takes comes
    /// back as <see cref="MessageReturnedException"/> instead of vanishing.
    /// </summary>
    /// <exception cref="TimeoutException">No confirm within <paramref name="limit"/>; it may still have arrived.</exception>
    public async Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct)
    {
        Start();
        // The bus itself would wait for a broker that is unavailable as long as it takes.
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(limit);
        try
        {
            await bus.Publish(new CloudEventsBatch(batch), context =>
            {
                context.SetRoutingKey(resource);
                context.Mandatory = true;
                context.Durable = true;
            }, limited.Token).WaitAsync(limit * 2, ct);
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
        if (started is not null) await bus.StopAsync(limited.Token);
        stopping.Dispose();
    }
}
