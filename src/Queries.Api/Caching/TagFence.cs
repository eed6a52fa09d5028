using System.Globalization;
using ApexShop.Caching;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// What this process knows of raised tags. It counts what it hears; an answer is noted with the count before its read,
/// and is current while none of its tags was heard of since. Tags share slots by their hash: a stranger's change may
/// cost an answer, its own is never missed.
/// </summary>
internal sealed class TagFence(TimeProvider clock, int slots = TagFence.UsualSlots)
{
    // A power of two: a slot is found by the low bits of a hash.
    private const int UsualSlots = 1 << 18;

    private readonly long[] raised = new long[slots];
    private readonly Lock gate = new();
    private readonly string id = Guid.NewGuid().ToString("N");

    // The count so far; it moves last, so whoever notes it has all that it counts.
    private long count;

    // What was noted before this count is not current, whatever its tags.
    private long floor;

    private bool isLive;

    // Number and generation of the last announcement.
    private long announced;
    private long generation;

    private long asked;
    private long answered;

    /// <summary>True while every announcement is heard.</summary>
    public bool IsLive => Volatile.Read(ref isLive);

    /// <summary>How many of the last echoes that were asked for are missing.</summary>
    public long Missing
    {
        get { lock (gate) return asked - answered; }
    }

    public int SlotOf(ReadOnlySpan<char> tag) => string.GetHashCode(tag) & (raised.Length - 1);

    public int[] SlotsOf(IReadOnlyList<string> tags) => [.. tags.Select(tag => SlotOf(tag))];

    /// <summary>To be called before the database is read.</summary>
    public FenceMark Note() => new(Volatile.Read(ref count), IsLive, clock.GetTimestamp());

    public bool IsCurrent(FenceMark mark, int[] slots)
    {
        if (Volatile.Read(ref floor) > mark.Count) return false;
        foreach (var slot in slots)
        {
            if (Volatile.Read(ref raised[slot]) > mark.Count) return false;
        }

        return true;
    }

    /// <summary>What was kept so far is no longer current.</summary>
    public void Empty()
    {
        lock (gate) Advance(empty: true);
    }

    /// <summary>Announcements may be lost from now on, until an echo that is asked for later is heard.</summary>
    public void Lose()
    {
        lock (gate)
        {
            answered = asked;
            if (!isLive) return;
            Volatile.Write(ref isLive, false);
            Advance(empty: true);
        }
    }

    /// <summary>The name of the next echo; see <see cref="TagEcho"/>.</summary>
    public string AskForEcho()
    {
        lock (gate) return string.Create(CultureInfo.InvariantCulture, $"{id}:{++asked}");
    }

    /// <summary>
    /// Takes what was said on the channel: an announcement (see <see cref="TagScript"/>) or an echo. What comes late or
    /// twice changes nothing; a number that does not follow the last one empties the memory.
    /// </summary>
    public void Hear(string message)
    {
        var words = message.Split(' ');
        lock (gate)
        {
            if (words is [TagEcho.Word, var before, var latest, var name]) HearEcho(Number(before), Number(latest), name);
            else if (words.Length > 2 && Number(words[1]) >= 0) HearAnnouncement(Number(words[0]), Number(words[1]), words.AsSpan(2));
            else Advance(empty: true);
        }
    }

    private void HearAnnouncement(long number, long given, ReadOnlySpan<string> tags)
    {
        var empty = false;
        // An older generation is one of before: it has been heard, or missed when the next one was heard.
        if (given > generation)
        {
            empty = number != announced + 1;
            (announced, generation) = (number, given);
        }

        foreach (var tag in tags)
        {
            if (tag == CacheTags.Everything) empty = true;
            else Volatile.Write(ref raised[SlotOf(tag)], count + 1);
        }

        Advance(empty);
    }

    // An echo has its place among the announcements and says how many went before it.
    private void HearEcho(long number, long latest, string name)
    {
        var isAnswer = IsAnswer(name);
        // One from before a loss tells nothing of what was lost after it.
        if (!isAnswer && !isLive) return;

        var empty = number != announced || !isLive;
        (announced, generation) = (number, latest);
        if (isAnswer) Volatile.Write(ref isLive, true);
        Advance(empty);
    }

    private bool IsAnswer(string name)
    {
        if (!name.StartsWith(id, StringComparison.Ordinal)) return false;
        var turn = Number(name.AsSpan(id.Length + 1));
        if (turn <= answered) return false;
        answered = turn;
        return true;
    }

    private static long Number(ReadOnlySpan<char> text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : -1;

    private void Advance(bool empty)
    {
        if (empty) Volatile.Write(ref floor, count + 1);
        Volatile.Write(ref count, count + 1);
    }
}
