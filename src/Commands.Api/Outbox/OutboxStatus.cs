namespace ApexShop.Commands.Api.Outbox;

/// <summary>What the publisher of this process knows of the broker; only a leader knows anything.</summary>
internal enum BrokerState
{
    Unknown,
    Reached,
    Unbound,
    Unavailable,
}

/// <summary>What this process is doing for the log, for health and metrics.</summary>
internal sealed class OutboxStatus(EventLog log)
{
    public bool IsLeader { get; set; }

    public BrokerState Broker { get; set; }

    public Task<LogPositions> PositionsAsync(CancellationToken ct) => log.ReadPositionsAsync(ct);
}
