namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// The segments of one resource, as JSON or as MessagePack, each as the database has it by now: every question asks for
/// all versions, and what has another one is read again. Who asks while a question is under way shares the next one,
/// which begins later than he asked.
/// </summary>
internal sealed class SegmentShelf(
    SegmentReader reader, SegmentBudget budget, Func<SegmentVersion, byte[], Segment> encode, SegmentMetrics metrics)
{
    private readonly Lock gate = new();
    private SegmentSet kept = SegmentSet.Nothing;
    private Task<SegmentSet?>? next;
    private Task current = Task.CompletedTask;

    /// <summary>Of a document on the average, as far as is known; 0 before any was read.</summary>
    public double DocumentBytes { get; private set; }

    /// <summary>All documents as of a moment after the call; null if there are too many to keep.</summary>
    public async Task<HeldSegments?> FindAsync(CancellationToken ct)
    {
        budget.Use(this);
        return await Next().WaitAsync(ct) is { } found ? new HeldSegments(found, budget) : null;
    }

    /// <summary>Whether the documents may be expected to fit, were they the only ones.</summary>
    public bool MayHold(SegmentVersions versions) => versions.Documents * DocumentBytes <= budget.Most;

    /// <summary>Takes note of a segment that was read.</summary>
    public void Learn(Segment segment)
    {
        metrics.Read();
        if (segment.Count == 0) return;
        var bytes = (double)segment.Size / segment.Count;
        DocumentBytes = DocumentBytes == 0 ? bytes : (DocumentBytes * 7 + bytes) / 8;
    }

    public void Empty() => Keep(SegmentSet.Nothing);

    private Task<SegmentSet?> Next()
    {
        lock (gate) return next ??= AskAfterAsync();
    }

    private async Task<SegmentSet?> AskAfterAsync()
    {
        // Off the caller's lock.
        await Task.Yield();
        await current.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        lock (gate) (current, next) = (next!, null);
        return await AskAsync();
    }

    private async Task<SegmentSet?> AskAsync()
    {
        var known = Volatile.Read(ref kept);
        var versions = await reader.VersionsAsync();
        if (known.Is(versions)) return known;
        if (!MayHold(versions))
        {
            Empty();
            return null;
        }

        await using var snapshot = await reader.OpenAsync();
        var found = await new SegmentLoad(this, budget, encode).RunAsync(snapshot, known);
        Keep(found ?? SegmentSet.Nothing);
        // Others may have taken it for empty meanwhile and must find it when they need room.
        budget.Use(this);
        return found;
    }

    private void Keep(SegmentSet set) => budget.Release(Interlocked.Exchange(ref kept, set).Segments);
}
