namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// The state of the broker as this process sees it: Unknown until its first message was confirmed or not, and Unbound
/// only while it leads.
/// </summary>
internal enum BrokerState
{
    Unknown,
    Reached,
    Unbound,
    Unavailable,
}

/// <summary>Whether this process leads, and the state of the broker, for health checks and metrics.</summary>
internal sealed class OutboxStatus
{
    public bool IsLeader { get; set; }

    public BrokerState Broker { get; set; }
}
