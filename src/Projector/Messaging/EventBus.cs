using System.Net.Sockets;
using System.Text.Json;
using MassTransit;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Messaging;

/// <summary>The Projector's queue on the broker.</summary>
internal static class EventBus
{
    private static readonly TimeSpan probeInterval = TimeSpan.FromMilliseconds(500);

    public static void AddEventBus(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>().BindConfiguration(MessagingOptions.Section);
        services.AddMassTransit(bus =>
        {
            bus.DisableUsageTelemetry();
            bus.AddConsumer<EventConsumer>();
            bus.ConfigureHealthCheckOptions(health =>
            {
                health.Name = "rabbitmq";
                health.MinimalFailureStatus = HealthStatus.Unhealthy;
                health.Tags.Clear();
            });
            bus.UsingRabbitMq((context, rabbit) =>
            {
                var options = context.GetRequiredService<IOptions<MessagingOptions>>().Value;
                var stopping = context.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
                rabbit.Host(options.Url, host => host.OnRefreshConnectionFactory = _ => AnswersAsync(options.Url, stopping));
                // The error queue would inherit it, and the broker lets nobody look into such a queue.
                rabbit.SendTopology.ConfigureErrorSettings = errors => errors.SingleActiveConsumer = false;
                rabbit.ReceiveEndpoint(options.Queue, endpoint => Configure(endpoint, options, context));
            });
        });
    }

    private static void Configure(
        IRabbitMqReceiveEndpointConfigurator endpoint, MessagingOptions options, IBusRegistrationContext context)
    {
        // Quorum, because a classic queue with a single active consumer and two consumers crashes RabbitMQ 3.10.
        endpoint.SetQuorumQueue();
        endpoint.SingleActiveConsumer = true;
        endpoint.ConfigureConsumeTopology = false;
        endpoint.Bind(options.Exchange, exchange =>
        {
            exchange.ExchangeType = ExchangeType.Topic;
            exchange.Durable = true;
            exchange.RoutingKey = "#";
        });

        // One at a time keeps the queue's order; what is sent ahead keeps the consumer busy.
        endpoint.PrefetchCount = options.Prefetch;
        endpoint.ConcurrentMessageLimit = 1;

        var serializer = new EventMessageSerializer();
        endpoint.ClearSerialization();
        endpoint.AddSerializer(serializer);
        endpoint.AddDeserializer(serializer, isDefault: true);
        endpoint.PublishFaults = false;

        endpoint.UseMessageRetry(retry =>
        {
            retry.Ignore<JsonException>();
            retry.Interval(3, TimeSpan.FromMilliseconds(200));
        });
        endpoint.ConfigureConsumer<EventConsumer>(context);
    }

    // Between failed attempts the bus waits longer and longer, up to half a minute. Held here until the broker's port
    // answers, an attempt does not fail, and the queue is consumed again soon after the broker is back.
    private static async Task AnswersAsync(Uri broker, CancellationToken stopping)
    {
        for (;;)
        {
            using var probe = new TcpClient();
            try
            {
                await probe.ConnectAsync(broker.Host, broker.Port > 0 ? broker.Port : Protocols.DefaultProtocol.DefaultPort, stopping);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(probeInterval, stopping);
            }
        }
    }
}
