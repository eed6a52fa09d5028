using System.Globalization;
using ApexShop.Queries.Api.Caching;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>
/// A database of counters, the writer that raises their tags, and a Redis, all as plain data: each step of theirs
/// happens when a schedule says so. A counter's value is its number of commits; its name is its tag.
/// </summary>
internal sealed class ModelShop(TimeProvider time)
{
    public const int Tags = 3;

    private readonly Dictionary<string, string> entries = [];
    private readonly Dictionary<string, long> generations = [];
    private readonly Dictionary<int, long> unraised = [];
    private long announced;
    private long last;
    private long clock = 1_000;

    public long[] Committed { get; } = new long[Tags];

    /// <summary>The value of each counter when its tag was last raised.</summary>
    public long[] Raised { get; } = new long[Tags];

    /// <summary>By counter, when each of its values was committed.</summary>
    public List<long>[] CommittedAt { get; } = [.. Enumerable.Range(0, Tags).Select(_ => new List<long>())];

    public bool IsRedisUp { get; set; } = true;

    public List<ModelProcess> Processes { get; } = [];

    public static string Name(int tag) => ((char)('a' + tag)).ToString();

    public void Commit(int tag)
    {
        Committed[tag]++;
        CommittedAt[tag].Add(time.GetTimestamp());
        unraised.TryAdd(tag, time.GetTimestamp());
    }

    /// <summary>Raises all that is pending as one batch, as the projector does.</summary>
    public void Raise(bool everything = false)
    {
        if (!IsRedisUp || (unraised.Count == 0 && !everything)) return;
        last = Math.Max(last + 1, clock++);
        string[] tags = everything ? ["*"] : [.. unraised.Keys.Select(Name)];
        foreach (var tag in tags) generations[tag] = last;
        foreach (var tag in everything ? Enumerable.Range(0, Tags) : unraised.Keys) Raised[tag] = Committed[tag];
        unraised.Clear();
        Publish(string.Create(CultureInfo.InvariantCulture, $"{++announced} {last} {string.Join(' ', tags)}"));
    }

    public void Echo(ModelProcess process)
    {
        var name = process.Fence.NextProbe(unraised.Values.Append(time.GetTimestamp()).Min());
        if (IsRedisUp) Publish(string.Create(CultureInfo.InvariantCulture, $"? {announced} {last} {name}"));
    }

    /// <summary>Redis restarts empty and all connections are lost.</summary>
    public void LoseData()
    {
        entries.Clear();
        generations.Clear();
        (announced, last) = (0, 0);
        foreach (var process in Processes) process.IsSubscribed = false;
    }

    public void DropKey(Random random)
    {
        if (random.Next(2) == 0 && generations.Count > 0)
            generations.Remove(generations.Keys.ElementAt(random.Next(generations.Count)));
        else if (entries.Count > 0) entries.Remove(entries.Keys.ElementAt(random.Next(entries.Count)));
    }

    /// <summary>What the script of the look-up does.</summary>
    public (string Fence, string? Entry) Find(CacheQuery query)
    {
        var made = 0L;
        foreach (var tag in query.Tags.Where(tag => !generations.ContainsKey(tag)))
        {
            if (made == 0) last = made = Math.Max(last + 1, clock++);
            generations[tag] = made;
        }

        var fence = string.Join(' ', query.Tags.Select(tag => generations[tag])) + '\n';
        var entry = entries.GetValueOrDefault(query.Key);
        return (
            fence,
            entry is not null && entry.StartsWith(fence, StringComparison.Ordinal) ? entry[fence.Length..] : null);
    }

    public void Keep(CacheQuery query, string fence, string text) => entries[query.Key] = fence + text;

    private void Publish(string message)
    {
        foreach (var process in Processes.Where(process => process.IsSubscribed))
        {
            process.Coming.Add(new(message, [.. Raised]));
        }
    }
}

/// <summary>A message, and the raised values when it was sent.</summary>
internal sealed record Announcement(string Message, long[] Raised);
