namespace ApexShop.Messaging;

/// <summary>Names on the broker. A consumer binds its own queue to the exchange by resource.</summary>
public static class Topology
{
    /// <summary>The durable topic exchange; the routing key is the name of the resource.</summary>
    public const string Exchange = "apexshop.events";

    /// <summary>The Projector's quorum queue with a single active consumer, bound to every resource.</summary>
    public const string ProjectorQueue = "apexshop.projector";

    /// <summary>
    /// The queue of messages that could not be parsed, until the Projector stores them in its database. The queue is
    /// bounded; when it is full, the message stays in its original queue.
    /// </summary>
    public static string DeadLettersOf(string queue) => $"{queue}.dead-letters";

    /// <summary>
    /// The maximum number of events per message, which share the cost of a transaction (decision 0006).
    /// </summary>
    public const int MaxEventsPerMessage = 500;

    /// <summary>The maximum number of bytes of the events' data in a message, unless it has only one event.</summary>
    public const int MaxDataPerMessage = 1_000_000;

    /// <summary>
    /// A message is one CloudEvents batch: a JSON array of events of one resource, ordered by position.
    /// </summary>
    public const string ContentType = "application/cloudevents-batch+json";

    /// <summary>
    /// The header with the W3C trace context of the span that published the message. MassTransit gave it its name.
    /// </summary>
    public const string TraceParentHeader = "MT-Activity-Id";

    /// <summary>
    /// The header with the reason why a message is in the dead-letter queue. MassTransit gave it its name.
    /// </summary>
    public const string ReasonHeader = "MT-Fault-Message";
}
