namespace ApexShop.Messaging;

/// <summary>Names on the broker. Any consumer binds a queue of its own to the exchange by resource.</summary>
public static class Topology
{
    /// <summary>Durable topic exchange; the routing key is the resource (<c>products</c>, <c>orders</c>, ...).</summary>
    public const string Exchange = "apexshop.events";

    /// <summary>The Projector's quorum queue, single active consumer, bound to every resource.</summary>
    public const string ProjectorQueue = "apexshop.projector";

    /// <summary>
    /// Where messages go that could not be read, until the Projector has put them into its database. The queue is
    /// bounded; full, it takes nothing more, and the message stays in the queue where it was.
    /// </summary>
    public static string DeadLettersOf(string queue) => $"{queue}.dead-letters";

    /// <summary>Most events in a message: enough to spread the fixed price of a transaction (decision 0006).</summary>
    public const int MaxEventsPerMessage = 500;

    /// <summary>A message is one CloudEvents batch: a JSON array of events of one resource, by position.</summary>
    public const string ContentType = "application/cloudevents-batch+json";
}
