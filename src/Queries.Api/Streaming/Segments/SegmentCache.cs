using ApexShop.Hosting;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// The segments of one resource in one encoding, each as the database has it now: every request compares all versions,
/// and segments with another version are read again. Requests that come during a comparison share the next one, which
/// begins after they came. A collection of more than <paramref name="most"/> documents is not kept.
/// </summary>
internal sealed class SegmentCache(
    SegmentReader reader,
    SegmentBudget budget,
    SegmentEncoder encode,
    long most,
    SegmentMetrics metrics,
    TimeProvider clock)
{
    // The memory that was missing is usually that of streams to slow clients, which last for seconds. A collection that
    // is too large has many segments: to read their versions takes longer than the first rows.
    private static readonly TimeSpan memoryPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan sizePause = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly SegmentEstimate estimate = new(budget.Most);
    private SegmentSet current = SegmentSet.Empty;
    private Task<SegmentSet?>? next;
    private Task running = Task.CompletedTask;
    private (long From, TimeSpan Length) pause;

    /// <summary>All documents as of the call or later; null if they do not fit into memory.</summary>
    public async Task<SegmentLease?> FindAsync(CancellationToken ct)
    {
        budget.Touch(this);
        return await Next().WaitAsync(ct) is { } found ? budget.Lease(found) : null;
    }

    public void Empty() => Replace(SegmentSet.Empty);

    private Task<SegmentSet?> Next()
    {
        lock (gate) return next ??= RefreshAfterRunningAsync();
    }

    private async Task<SegmentSet?> RefreshAfterRunningAsync()
    {
        // Off the caller's lock.
        await Task.Yield();
        await running.WithoutThrowing();
        lock (gate) (running, next) = (next!, null);
        return await RefreshAsync();
    }

    private async Task<SegmentSet?> RefreshAsync()
    {
        // Otherwise every stream would read what fits of the collection, for nothing.
        if (clock.GetElapsedTime(pause.From) < pause.Length) return null;
        var known = Volatile.Read(ref current);
        var versions = await reader.VersionsAsync();
        if (known.Has(versions)) return known;
        if (versions.Documents > most || (!estimate.MayFit(versions) && !await FitsBySampleAsync(versions)))
        {
            pause = (clock.GetTimestamp(), sizePause);
            Empty();
            return null;
        }

        await using var snapshot = await reader.OpenAsync();
        var found = await LoadAsync(snapshot, known);
        Replace(found ?? SegmentSet.Empty);
        // Another cache may have taken this one from the list, and must find it again when it needs memory.
        budget.Touch(this);
        return found;
    }

    // The collection was too large; since then its documents may have become smaller.
    private async Task<bool> FitsBySampleAsync(SegmentVersions versions)
    {
        if (!estimate.IsSampleNeeded(versions)) return false;
        estimate.Replace(versions, await reader.SizesAsync(SegmentEstimate.Sample(versions)));
        return estimate.MayFit(versions);
    }

    // The new set, added to the budget once; null if it does not fit.
    private async Task<SegmentSet?> LoadAsync(SegmentSnapshot snapshot, SegmentSet old)
    {
        var (epoch, versions) = snapshot.Versions;
        var unchanged = old.ByVersion(epoch);
        var segments = versions.Select(version => unchanged.GetValueOrDefault(version)).ToArray();
        var (added, isComplete) = (new List<Segment>(), false);
        try
        {
            var isUnchangedAdded = segments.OfType<Segment>().All(segment => TryAdd(segment, added));
            // The segments that were replaced are of no use any more, and the new ones need their memory.
            Empty();
            isComplete = isUnchangedAdded && await LoadMissingAsync(snapshot, segments, added);
            return isComplete ? new SegmentSet(epoch, segments!) : null;
        }
        finally
        {
            if (!isComplete) budget.Release(added);
        }
    }

    private async Task<bool> LoadMissingAsync(SegmentSnapshot snapshot, Segment?[] segments, List<Segment> added)
    {
        var versions = snapshot.Versions;
        var missing = Enumerable.Range(0, segments.Length).Where(index => segments[index] is null).ToArray();
        var read = new SegmentSizes(added.Sum(segment => (long)segment.Count), added.Sum(segment => segment.Size));
        try
        {
            for (var done = 0; done < missing.Length;)
            {
                if (!estimate.MayFit(versions, read)) return false;
                var size = Math.Min(missing.Length - done, estimate.SegmentsInGroup(versions, read));
                int[] numbers = [.. missing.Skip(done).Take(size).Select(index => versions.Segments[index].Number)];
                await foreach (var lines in snapshot.LoadAsync(numbers))
                {
                    var index = missing[done++];
                    var segment = encode(versions.Segments[index], lines);
                    estimate.Measure(lines.Length, segment.Part.Bytes.Length);
                    read = new SegmentSizes(read.Documents + segment.Count, read.Bytes + segment.Size);
                    if (!TryAdd(segment, added)) return false;
                    metrics.Read();
                    segments[index] = segment;
                }
            }

            return true;
        }
        finally
        {
            estimate.Adjust(versions, read);
        }
    }

    private bool TryAdd(Segment segment, List<Segment> added)
    {
        var fits = budget.TryAdd(segment, this);
        if (fits) added.Add(segment);
        else pause = (clock.GetTimestamp(), memoryPause);
        return fits;
    }

    private void Replace(SegmentSet set) => budget.Release(Interlocked.Exchange(ref current, set).Segments);
}

/// <summary>Encodes the documents of a segment, which have a line break before each.</summary>
internal delegate Segment SegmentEncoder(SegmentVersion version, byte[] lines);
