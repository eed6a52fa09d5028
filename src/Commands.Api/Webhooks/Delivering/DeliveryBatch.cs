using ApexShop.Commands.Api.Events;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// What a webhook sends next. Each of <paramref name="Waiting"/> is the first of its aggregate that was not delivered,
/// and is due. Of <paramref name="Unread"/>, those whose aggregate is <paramref name="Blocked"/> have to wait.
/// </summary>
/// <param name="Waiting">Failed deliveries, those that failed less often first.</param>
/// <param name="Unread">Events of the log, by position.</param>
/// <param name="Blocked">The aggregates with an event that was not delivered.</param>
/// <param name="Failing">How many events have failed and are not parked, due or not.</param>
/// <param name="End">The position up to which the log is read with this batch.</param>
internal sealed record DeliveryBatch(
    IReadOnlyList<Delivery> Waiting, IReadOnlyList<Delivery> Unread, IReadOnlySet<Subject> Blocked, int Failing,
    long End)
{
    /// <summary>The receiver is unavailable, or the time is over: not everything was sent that could be.</summary>
    public bool IsInterrupted { get; set; }

    private IEnumerable<Delivery> All => Unread.Concat(Waiting);

    public bool IsAttempted => All.Any(one => one.Outcome is not null);

    public bool HasDelivered => All.Any(one => one.IsDelivered);

    /// <summary>Whether the receiver was available, at least once.</summary>
    public bool HasResponse => HasDelivered || (IsAttempted && Pause is null);

    /// <summary>Why the receiver is unavailable, and the pause that it requires; null while it is available.</summary>
    public AttemptOutcome? Pause =>
        All.Where(one => one.IsUnavailable).Select(one => one.Outcome).MaxBy(outcome => outcome!.Value.RetryAfter);

    /// <summary>
    /// How often in a row the receiver was unavailable, but at most the number of failing events: an event that fails
    /// again shows nothing new about the receiver, so it must not make the pause of the others longer.
    /// </summary>
    public int FailuresAfter(int before)
    {
        if (Pause is null) return IsAttempted ? 0 : before;
        var first = All.Count(one => one is { IsUnavailable: true, Attempts: 0 });
        return HasDelivered ? 1 : Math.Min(before + 1, Failing + first);
    }

    /// <summary>
    /// Whether the event fails and not the receiver: the receiver has refused it, accepts others, or has responded
    /// since the event failed before.
    /// </summary>
    public bool IsRefused(Delivery failed, int failuresBefore) =>
        !failed.IsUnavailable || HasDelivered || (failed.Attempts > 0 && failuresBefore == 0);

    public long[] Delivered => [.. Waiting.Where(one => one.IsDelivered).Select(one => one.Entry.Position)];

    public IReadOnlyList<Delivery> Failed => [.. All.Where(one => one.Outcome is { IsDelivered: false })];

    private IEnumerable<Delivery> New => Unread.Where(one => !Blocked.Contains(one.Aggregate));

    /// <summary>The first event of each aggregate, new ones first.</summary>
    public IEnumerable<Delivery> First => New.Concat(Waiting).DistinctBy(one => one.Aggregate);

    /// <summary>What can be sent, by aggregate and in order, failed deliveries first.</summary>
    public IReadOnlyList<IReadOnlyList<Delivery>> ByAggregate =>
        [.. Waiting.Concat(New).GroupBy(one => one.Aggregate).Select(aggregate => aggregate.ToList())];

    /// <summary>
    /// The position of the webhook after this batch. After an interruption it is that of the last event that was sent,
    /// so that none is sent again before it.
    /// </summary>
    public long PositionAfter(long before) =>
        IsInterrupted ? Unread.LastOrDefault(one => one.Outcome is not null)?.Entry.Position ?? before : End;

    /// <summary>The events up to this position that were not delivered.</summary>
    public long[] KeptUpTo(long position) =>
        [.. Unread.Where(one => !one.IsDelivered).Select(one => one.Entry.Position).Where(one => one <= position)];
}
