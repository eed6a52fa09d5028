using ApexShop.Events;

namespace ApexShop.Projector.EventLog;

/// <summary>The event log as holes are filled from it.</summary>
internal interface IEventLog
{
    /// <summary>The resource's next entries after the position; none when it has no more.</summary>
    Task<List<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct);

    /// <summary>The position of the last entry of all.</summary>
    Task<long> HeadAsync(CancellationToken ct);

    /// <summary>The entry of any resource after the position; null at the end of the log.</summary>
    Task<LogEntry?> NextAsync(long after, CancellationToken ct);

    /// <summary>
    /// The resource's next entries, after the entry at the position itself: it shows whether the log is still the one
    /// from which it was applied. None when the resource has no more.
    /// </summary>
    async Task<List<LogEntry>> ReadWithLastAsync(string resource, long position, int limit, CancellationToken ct)
    {
        var next = await ReadAsync(resource, position, limit, ct);
        if (next.Count == 0 || position == 0) return next;
        var last = await NextAsync(position - 1, ct);
        return last?.Position == position && last.Resource == resource ? [last, .. next] : next;
    }
}
