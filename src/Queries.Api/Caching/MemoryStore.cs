using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Keeps answers within a number of bytes. When it is full the oldest goes, unless it was asked for since it was last
/// looked at: then it gets another round.
/// </summary>
internal sealed class MemoryStore<TKey>(long budget)
    where TKey : notnull
{
    // What an entry takes besides its bytes: entry, answer, tag text, node, the dictionary's own.
    private const int Overhead = 400;

    private readonly ConcurrentDictionary<TKey, Entry> entries = new();
    private readonly LinkedList<Entry> clock = new();
    private readonly Lock gate = new();
    private long bytes;

    public sealed class Entry(TKey key, Answer answer, FenceMark mark, int[] slots, long expires)
    {
        public TKey Key => key;

        public Answer Answer => answer;

        public FenceMark Mark => mark;

        public int[] Slots => slots;

        /// <summary>In the clock's own time stamps.</summary>
        public long Expires => expires;

        public bool IsAskedFor { get; set; }

        public LinkedListNode<Entry>? Place { get; set; }

        // Twice where the answer may keep coded forms of its bytes.
        public long Size { get; } =
            Overhead + (answer.Body.Length < ContentCoding.LeastBytes ? 1 : 2) * answer.Body.Length + (key is string text ? 2 * text.Length : 0);
    }

    public bool TryGet(TKey key, [NotNullWhen(true)] out Entry? entry) => entries.TryGetValue(key, out entry) && Touch(entry);

    /// <summary>The same by the text of a key; only where keys are text.</summary>
    public bool TryGet(ReadOnlySpan<char> key, [NotNullWhen(true)] out Entry? entry) =>
        entries.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(key, out entry) && Touch(entry);

    /// <summary>Answers with how many others had to go for it.</summary>
    public int Put(Entry entry)
    {
        if (entry.Size > budget) return 0;
        lock (gate)
        {
            if (entries.TryGetValue(entry.Key, out var old)) Drop(old);
            entries[entry.Key] = entry;
            entry.Place = clock.AddLast(entry);
            bytes += entry.Size;
            return Shrink();
        }
    }

    /// <summary>Drops an entry that no longer answers, unless another took its place meanwhile.</summary>
    public void Remove(Entry entry)
    {
        lock (gate)
        {
            if (entry.Place is not null) Drop(entry);
        }
    }

    /// <summary>Drops what is past its time; it is found at the front, where the oldest are.</summary>
    public void DropExpired(long now)
    {
        lock (gate)
        {
            while (clock.First?.Value is { } oldest && oldest.Expires <= now) Drop(oldest);
        }
    }

    // Only the first of many writes: the line stays shared by all cores.
    private static bool Touch(Entry entry)
    {
        if (!entry.IsAskedFor) entry.IsAskedFor = true;
        return true;
    }

    private int Shrink()
    {
        var evicted = 0;
        while (bytes > budget && clock.First?.Value is { } oldest)
        {
            if (!oldest.IsAskedFor)
            {
                Drop(oldest);
                evicted++;
                continue;
            }

            oldest.IsAskedFor = false;
            clock.RemoveFirst();
            oldest.Place = clock.AddLast(oldest);
        }

        return evicted;
    }

    private void Drop(Entry entry)
    {
        entries.TryRemove(new(entry.Key, entry));
        clock.Remove(entry.Place!);
        entry.Place = null;
        bytes -= entry.Size;
    }
}
