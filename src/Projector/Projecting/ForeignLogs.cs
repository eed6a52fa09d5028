using System.Collections.Concurrent;
using ApexShop.Hosting;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// The identities in events that are not the one of the documents: of a log that has replaced the one of the documents,
/// or of one that was replaced. Only a comparison with the event log shows which.
/// </summary>
internal sealed class ForeignLogs
{
    // Null until the first comparison.
    private readonly ConcurrentDictionary<string, bool?> isReplaced = new();

    private readonly WakeSignal waking = new();

    /// <summary>The identities that were found so far.</summary>
    public IReadOnlyCollection<string> Found => [.. isReplaced.Keys];

    /// <summary>Whether the log was replaced. While that is not known, the next comparison is woken.</summary>
    public bool IsReplaced(string logId)
    {
        var known = isReplaced.GetOrAdd(logId, (bool?)null);
        if (known is null) waking.Set();
        return known is true;
    }

    /// <summary>Those that were found before the current identity was read, and are not it, were replaced.</summary>
    public void Compared(IEnumerable<string> found, string current)
    {
        foreach (var logId in found) isReplaced[logId] = logId != current;
    }

    /// <summary>Waits until an identity is found, or until the time is over.</summary>
    public Task WaitAsync(TimeSpan time, TimeProvider clock, CancellationToken ct) => waking.WaitAsync(time, clock, ct);
}
