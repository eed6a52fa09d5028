using System.Globalization;
using ApexShop.Caching;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The raised tags that this process received. It counts messages; a response is stored with the count before its read
/// and is current while none of its tags was received since. Tags share slots by their hash: another tag's change may
/// invalidate a response too early, but its own change is never missed.
/// </summary>
internal sealed class TagFence(TimeProvider clock, int slots = TagFence.UsualSlots, int boundSeconds = 2)
{
    // A power of two: a slot is found by the low bits of a hash.
    private const int UsualSlots = 1 << 18;

    private readonly long[] raised = new long[slots];
    private readonly Lock gate = new();
    private readonly SentProbes probes = new();

    // It changes last, so a mark with this count covers everything that was counted.
    private long count;
    private long floor;

    private (long Number, long Generation) last;
    private bool isLive;

    /// <summary>True while every announcement is received.</summary>
    public bool IsLive => Volatile.Read(ref isLive);

    /// <summary>True while every change that is older than the bound was announced and received.</summary>
    public bool IsUpToDate => IsLive && Watermark.IsWithinBound(Watermark.Time);

    /// <summary>A mark with a smaller count is not current, whatever its tags.</summary>
    public long Floor => Volatile.Read(ref floor);

    public Watermark Watermark { get; } = new(clock, boundSeconds);

    public int MissingProbes { get { lock (gate) return probes.Missing; } }

    public int SlotOf(ReadOnlySpan<char> tag) => string.GetHashCode(tag) & (raised.Length - 1);

    public int[] SlotsOf(IReadOnlyList<string> tags) => [.. tags.Select(tag => SlotOf(tag))];

    /// <summary>Taken before the database or Redis is read.</summary>
    public FenceMark Mark()
    {
        var (counted, live, seen, now) = (Volatile.Read(ref count), IsLive, Watermark.Time, clock.GetTimestamp());
        var isUpToDate = live && Watermark.IsWithinBound(seen);
        // What is found in Redis may lack changes since the watermark, whose tags are not raised yet.
        return new(counted, live, isUpToDate, isUpToDate ? seen : now, now);
    }

    /// <summary>Whether the response includes every change that is older than the bound.</summary>
    public bool IsFresh(FenceMark mark) =>
        Watermark.IsWithinBound(mark.At) || (mark.IsLive && Watermark.IsWithinBound(Watermark.Time));

    public bool IsCurrent(FenceMark mark, int[] slots)
    {
        if (Floor > mark.Count) return false;
        foreach (var slot in slots)
        {
            if (Volatile.Read(ref raised[slot]) > mark.Count) return false;
        }

        return true;
    }

    /// <summary>Invalidates everything that was cached before.</summary>
    public void InvalidateAll()
    {
        lock (gate) Advance(invalidatesAll: true);
    }

    /// <summary>Announcements may be lost from now on, until a probe that is sent later is received.</summary>
    public void Suspend()
    {
        lock (gate)
        {
            probes.Clear();
            if (!isLive) return;
            Volatile.Write(ref isLive, false);
            Advance(invalidatesAll: true);
        }
    }

    /// <summary>The name of the next probe; every change before <paramref name="raised"/> is announced.</summary>
    public string NextProbe(long raised)
    {
        lock (gate) return probes.Next(raised);
    }

    /// <summary>
    /// Takes a message of the channel: an announcement (see <see cref="TagScript"/>) or a probe. A late or repeated
    /// message changes nothing; a number that does not follow the last one invalidates everything.
    /// </summary>
    public void Receive(string message)
    {
        var words = message.Split(' ');
        lock (gate)
        {
            if (words is [SubscriptionProbe.Word, var number, var generation, var name])
                Probe(Number(number), Number(generation), name);
            else if (words.Length > 2 && Number(words[1]) >= 0)
                Announce(Number(words[0]), Number(words[1]), words.AsSpan(2));
            else Advance(invalidatesAll: true);
        }
    }

    private void Announce(long number, long generation, ReadOnlySpan<string> tags)
    {
        var invalidatesAll = false;
        // One with an older generation was received before, or counted as missed when the next one was received.
        if (generation > last.Generation)
        {
            invalidatesAll = number != last.Number + 1;
            last = (number, generation);
        }

        foreach (var tag in tags)
        {
            if (tag == CacheTags.Everything) invalidatesAll = true;
            else Volatile.Write(ref raised[SlotOf(tag)], count + 1);
        }

        Advance(invalidatesAll);
    }

    private void Probe(long number, long generation, string name)
    {
        var proved = probes.Receive(name);
        // One from before a loss does not show what was lost after it.
        if (proved is null && !isLive) return;

        Advance(invalidatesAll: number != last.Number || !isLive);
        last = (number, generation);
        if (proved is not { } seen) return;
        // Last: a reader that sees it finds what the announcements before the probe have invalidated.
        Watermark.Advance(seen);
        Volatile.Write(ref isLive, true);
    }

    private static long Number(ReadOnlySpan<char> text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : -1;

    private void Advance(bool invalidatesAll)
    {
        if (invalidatesAll) Volatile.Write(ref floor, count + 1);
        Volatile.Write(ref count, count + 1);
    }
}
