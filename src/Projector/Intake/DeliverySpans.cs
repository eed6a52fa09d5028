using System.Diagnostics;
using System.Text;
using ApexShop.Messaging;
using ApexShop.Projector.Telemetry;

namespace ApexShop.Projector.Intake;

/// <summary>Spans of a delivery, which continue the trace of its publisher.</summary>
internal static class DeliverySpans
{
    /// <summary>The span of the arrival; null when the publisher's trace is not sampled.</summary>
    public static Activity? Receive(string queue, IDictionary<string, object?>? headers) =>
        Start(queue, "receive", PublisherOf(headers));

    /// <summary>The span from the arrival, which it belongs to, to the end of the delivery.</summary>
    public static Activity? Process(string queue, Activity? received) =>
        received is null ? null : Start(queue, "process", received.Context);

    private static Activity? Start(string queue, string operation, ActivityContext parent) =>
        ProjectorMeter.Activities.StartActivity($"{queue} {operation}", ActivityKind.Consumer, parent)
            ?.SetTag("messaging.system", "rabbitmq")
            .SetTag("messaging.destination.name", queue)
            .SetTag("messaging.operation", operation);

    private static ActivityContext PublisherOf(IDictionary<string, object?>? headers) =>
        headers?.TryGetValue(Topology.TraceParentHeader, out var header) is true && header is byte[] parent
        && ActivityContext.TryParse(Encoding.ASCII.GetString(parent), null, isRemote: true, out var context)
            ? context
            : default;
}
