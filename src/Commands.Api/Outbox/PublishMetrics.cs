using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Events;
using ApexShop.Telemetry;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Counts published events, and creates the spans that continue those of the requests.</summary>
internal sealed class PublishMetrics(IMeterFactory meters)
{
    private static readonly ActivitySource spans = new(CommandsMeter.Name);

    private readonly Counter<long> published = meters.Create(CommandsMeter.Name)
        .CreateCounter<long>(
            "apexshop.events.published", "{event}", "Events that the broker confirmed, repeats included.");

    public void Published(LogEntry[] message) =>
        published.Add(message.Length, new KeyValuePair<string, object?>("resource", message[0].Resource));

    public static Activity? Start(LogEntry[] message)
    {
        var parents = message.Select(entry => entry.TraceParent);
        var span = spans.StartLinked($"publish {message[0].Resource}", ActivityKind.Producer, parents);
        span?.SetTag("messaging.batch.message_count", message.Length);
        span?.SetTag("apexshop.position.first", message[0].Position);
        span?.SetTag("apexshop.position.last", message[^1].Position);
        return span;
    }
}
