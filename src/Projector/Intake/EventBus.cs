using System.Text.Json;
using ApexShop.Messaging;
using MassTransit;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>The Projector's queue on the broker.</summary>
internal static class EventBus
{
    public static void AddEventBus(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>()
            .BindConfiguration(MessagingOptions.Section);
        services.AddSingleton<Broker>();
        services.AddHealthChecks().AddCheck<Broker>("rabbitmq");
        services.AddHostedService<QueueGauges>();
        services.Configure<MassTransitHostOptions>(host =>
        {
            // A message that waits for the database gives up soon when the process stops, and stays in the queue.
            host.ConsumerStopTimeout = TimeSpan.FromSeconds(5);
            host.StopTimeout = TimeSpan.FromSeconds(15);
        });
        services.AddMassTransit(bus =>
        {
            bus.DisableUsageTelemetry();
            bus.AddConsumer<EventConsumer>();
            bus.AddConsumer<DeadLetterConsumer>();
            bus.UsingRabbitMq((context, rabbit) =>
            {
                var options = context.GetRequiredService<IOptions<MessagingOptions>>().Value;
                rabbit.Host(options.Url, host =>
                    host.OnRefreshConnectionFactory = _ => context.GetRequiredService<Broker>().AnswersAsync());
                rabbit.SendTopology.ErrorQueueNameFormatter = new DeadLetterQueue();
                rabbit.SendTopology.ConfigureErrorSettings = DeadLetterQueue.Configure;
                rabbit.ReceiveEndpoint(options.Queue, endpoint => Configure(endpoint, options, context));
                rabbit.ReceiveEndpoint(Topology.DeadLettersOf(options.Queue), endpoint => Configure(endpoint, context));
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

        // All that is sent ahead stands in line at once, and the line keeps the queue's order. A lower limit would let
        // messages in as threads happen to run, and might leave outside the one that the others wait for.
        endpoint.PrefetchCount = options.Prefetch;
        endpoint.ConcurrentMessageLimit = options.Prefetch;

        HandOverBodies(endpoint);
        endpoint.UseMessageRetry(retry =>
        {
            retry.Ignore<JsonException>();
            retry.Interval(3, TimeSpan.FromMilliseconds(200));
        });
        endpoint.ConfigureConsumer<EventConsumer>(context);
    }

    private static void Configure(IRabbitMqReceiveEndpointConfigurator endpoint, IBusRegistrationContext context)
    {
        DeadLetterQueue.Configure(endpoint);
        endpoint.ConfigureConsumeTopology = false;
        endpoint.PrefetchCount = 4;
        HandOverBodies(endpoint);
        // What goes wrong here stays in this queue; there is none behind it.
        endpoint.RethrowFaultedMessages();
        endpoint.ConfigureConsumer<DeadLetterConsumer>(context);
    }

    private static void HandOverBodies(IReceiveEndpointConfigurator endpoint)
    {
        var serializer = new EventMessageSerializer();
        endpoint.ClearSerialization();
        endpoint.AddSerializer(serializer);
        endpoint.AddDeserializer(serializer, isDefault: true);
        endpoint.PublishFaults = false;
    }
}
