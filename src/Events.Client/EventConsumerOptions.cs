namespace ApexShop.Events.Client;

/// <summary>Which events a consumer follows, and from where.</summary>
public sealed record EventConsumerOptions
{
    /// <summary>The address of Commands.Api.</summary>
    public required Uri Shop { get; init; }

    /// <summary>A key with the scope <c>events:read</c> and the read scopes of the resources.</summary>
    public required string Key { get; init; }

    /// <summary>The address of RabbitMQ, with its virtual host.</summary>
    public required Uri Broker { get; init; }

    /// <summary>The consumer's own queue, which is created.</summary>
    public required string Queue { get; init; }

    /// <summary><c>products</c>, <c>orders</c>, ...: the events of one come in order, those of two do not.</summary>
    public required IReadOnlyList<string> Resources { get; init; }

    /// <summary>The shop's exchange.</summary>
    public string Exchange { get; init; } = "apexshop.events";

    /// <summary>
    /// Whether a consumer without positions begins with the last event of each aggregate, which is enough to have its
    /// state. Otherwise it begins with the first event of the log, and gets every one.
    /// </summary>
    public bool Compacted { get; init; } = true;

    /// <summary>
    /// Whether a consumer that is not <see cref="Compacted"/> continues where the shop has removed old events
    /// (<c>Events:KeepDays</c>), without them; the last one of each aggregate is always there. Otherwise it reports
    /// <c>events.removed</c> and applies nothing more.
    /// </summary>
    public bool Incomplete { get; init; }

    /// <summary>How often an event may be refused before it is parked.</summary>
    public int Attempts { get; init; } = 3;

    /// <summary>The time between two attempts, and before connecting again.</summary>
    public TimeSpan Pause { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The time without a message of a resource after which the log is read again: a message may be lost, or the log
    /// restored, and no later message shows it. At most 24 days; <see cref="Timeout.InfiniteTimeSpan"/>: never.
    /// </summary>
    public TimeSpan LongestSilence
    {
        get;
        init => field = (value > TimeSpan.Zero && value <= TimeSpan.FromDays(24)) || value == Timeout.InfiniteTimeSpan
            ? value
            : throw new ArgumentOutOfRangeException(
                nameof(value), value, "It must be longer than zero and at most 24 days, or infinite.");
    } = TimeSpan.FromSeconds(30);

    /// <summary>Receives a line for the log about each failure, parked event and restore.</summary>
    public Action<string> Report { get; init; } = Console.Error.WriteLine;

    /// <summary>Only the name: the key and the broker's password must not be in a log.</summary>
    public override string ToString() => nameof(EventConsumerOptions);
}
