namespace ApexShop.Projector.CacheInvalidation;

/// <summary>The last tags that this process has raised, and what is to be called when later ones are.</summary>
internal sealed class WaitingChanges
{
    // While Redis is unavailable for long only the first ones are measured.
    private const int Most = 1_000;

    private readonly Lock gate = new();
    private readonly List<(PendingTags Stored, Action Raised)> waiting = [];
    private PendingTags last = PendingTags.None;

    public PendingTags Raised => Volatile.Read(ref last);

    public void Add(PendingTags stored, Action raised)
    {
        lock (gate)
        {
            if (waiting.Count < Most) waiting.Add((stored, raised));
        }
    }

    /// <summary>The tags of these and of all earlier changes are raised.</summary>
    public void Release(PendingTags raised)
    {
        List<(PendingTags Stored, Action Raised)> done;
        lock (gate)
        {
            // An attempt that took longer than a later one.
            if (raised.At > last.At) Volatile.Write(ref last, raised);
            done = waiting.FindAll(one => one.Stored.At <= raised.At);
            waiting.RemoveAll(one => one.Stored.At <= raised.At);
        }

        foreach (var one in done) one.Raised();
    }
}
