using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Pipeline;
using ApexShop.Events;
using ApexShop.Telemetry;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>What the leader tells of its messages: a counter, and a span that continues the requests' own.</summary>
internal sealed class PublishMetrics(IMeterFactory meters)
{
    private static readonly ActivitySource spans = new(CommandMetrics.Meter);

    private readonly Counter<long> published = meters.Create(CommandMetrics.Meter)
        .CreateCounter<long>("apexshop.events.published", "{event}", "Events that the broker confirmed, repeats included.");

    public void Published(LogEntry[] message) =>
        published.Add(message.Length, new KeyValuePair<string, object?>("resource", message[0].Resource));

    public static Activity? Start(LogEntry[] message)
    {
        var span = spans.StartLinked($"publish {message[0].Resource}", ActivityKind.Producer, message.Select(entry => entry.TraceParent));
        span?.SetTag("messaging.batch.message_count", message.Length);
        span?.SetTag("apexshop.position.first", message[0].Position);
        span?.SetTag("apexshop.position.last", message[^1].Position);
        return span;
    }
}
