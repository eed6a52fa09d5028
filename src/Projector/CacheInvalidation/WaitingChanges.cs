namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// The last tags that this process has raised, and what is to be called when later ones are. Stored tags are ordered by
/// a number of this process and not by time, which may be set back.
/// </summary>
internal sealed class WaitingChanges
{
    // While Redis is unavailable for long only the first ones are measured.
    private const int Most = 1_000;

    private readonly Lock gate = new();
    private readonly List<(long Number, Action Raised)> waiting = [];
    private PendingTags last = PendingTags.None;
    private long lastNumber;
    private long numbers;

    public PendingTags Raised => Volatile.Read(ref last);

    /// <summary>
    /// Taken after the commit of stored tags, or before tags are read: a larger number includes what has a smaller one.
    /// </summary>
    public long Next() => Interlocked.Increment(ref numbers);

    public void Add(long number, Action raised)
    {
        lock (gate)
        {
            if (waiting.Count < Most) waiting.Add((number, raised));
        }
    }

    /// <summary>These tags are raised, and those of all changes with a smaller number.</summary>
    public void Release(long number, PendingTags raised)
    {
        lock (gate)
        {
            // An attempt that took longer than a later one.
            if (number > lastNumber) Volatile.Write(ref last, raised);
            lastNumber = Math.Max(lastNumber, number);
        }

        Release(number);
    }

    /// <summary>The tags of all changes up to this number are raised, perhaps by another process.</summary>
    public void Release(long number)
    {
        List<(long Number, Action Raised)> done;
        lock (gate)
        {
            done = waiting.FindAll(one => one.Number <= number);
            waiting.RemoveAll(one => one.Number <= number);
        }

        foreach (var one in done) one.Raised();
    }
}
