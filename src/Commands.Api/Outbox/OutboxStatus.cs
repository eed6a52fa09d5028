namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// The state of the broker as the publisher of this process sees it; Unknown unless this process leads.
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
