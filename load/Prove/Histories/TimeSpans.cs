namespace ApexShop.Prove.Histories;

/// <summary>Spans of time by a key, and whether one of them is in a time that is asked for.</summary>
internal sealed class TimeSpans<TKey>
    where TKey : notnull
{
    private readonly Dictionary<TKey, List<(long From, long Until)>> spans = [];

    // The spans of a key in the order of their starts, each with the latest end of those up to it.
    private readonly Dictionary<TKey, List<(long From, long Until)>> sorted = [];

    public void Add(TKey key, long from, long until)
    {
        if (!spans.TryGetValue(key, out var list)) spans[key] = list = [];
        list.Add((from, until));
    }

    /// <summary>Whether a span has a moment of this time.</summary>
    public bool AnyIn(TKey key, long from, long until) => AnyFrom(key, startsBy: until, endsAfter: from);

    /// <summary>Whether a span has the whole of this time.</summary>
    public bool AnyOver(TKey key, long from, long until) => AnyFrom(key, startsBy: from, endsAfter: until);

    private bool AnyFrom(TKey key, long startsBy, long endsAfter)
    {
        if (!spans.TryGetValue(key, out var added)) return false;
        if (!sorted.TryGetValue(key, out var list)) sorted[key] = list = Sorted(added);
        var (low, high) = (0, list.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (list[middle].From <= startsBy) low = middle + 1;
            else high = middle;
        }

        return low > 0 && list[low - 1].Until >= endsAfter;
    }

    private static List<(long From, long Until)> Sorted(List<(long From, long Until)> list)
    {
        list.Sort();
        var latest = long.MinValue;
        return list.ConvertAll(span => (span.From, latest = Math.Max(latest, span.Until)));
    }
}
