using ApexShop.TestKit;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The cache of one process over the model of the rest; its responses are checked.</summary>
internal sealed class ModelProcess : ISharedCache, IPageReader
{
    private static readonly CacheMetrics metrics = new(
        new ServiceCollection().AddMetrics().BuildServiceProvider()
            .GetRequiredService<IMeterFactory>(), new TagFence(TimeProvider.System, 1));

    // Never used: the epoch is known.
    private static readonly ReadDatabase database = new(
        Options.Create(new ReadingOptions { ConnectionString = "Host=nowhere.invalid" }));

    private static readonly ListReader lists = new(database, new ExpensiveCounts(TimeProvider.System));

    private static readonly PageLinks links = new("/", new DefaultHttpContext().Request.Query);

    private static readonly IOptions<CachingOptions> options = Options.Create(new CachingOptions
    {
        LeaseWaitMilliseconds = 0,
        MemorySeconds = 120,
        UnavailableSeconds = 2,
    });

    private readonly ModelShop shop;
    private readonly ManualClock clock;
    private readonly ResponseCache cache;

    private static readonly ListQuery everything = ListQuery.From(
        ReadModel.All[0], new QueryParameters(new QueryCollection()));

    private readonly List<int[]> requested = [];

    // By the key of a request, what was the latest response, and an older one that Redis has given after it.
    private readonly Dictionary<string, long[]> shown = [];
    private readonly Dictionary<string, long[]> excused = [];

    // By the messages that were received, each counter is at least this.
    private long[] known = new long[ModelShop.Tags];

    public ModelProcess(ModelShop shop, ManualClock clock, int slots = 64)
    {
        (this.shop, this.clock) = (shop, clock);
        Fence = new TagFence(clock, slots);
        var memory = new MemoryCache<string>(1, Fence, options, metrics, clock);
        var epoch = new ReadEpoch(database, Fence);
        epoch.Observe(1);
        var counts = new CountCache(lists, this, Fence, epoch, options);
        var recent = new RecentKeys(options, clock);
        var rules = new SharedCachingRules(Fence, options);
        cache = new ResponseCache(memory, this, counts, this, Fence, epoch, recent, rules, options, metrics, clock);
        shop.Processes.Add(this);
    }

    public TagFence Fence { get; }

    /// <summary>Whether Redis is used from the second request of a key only.</summary>
    public bool IsCheap { get; init; }

    public bool IsSubscribed { get; set; } = true;

    /// <summary>Messages that this process has not received yet.</summary>
    public List<Announcement> Coming { get; } = [];

    /// <summary>Reads of Redis and of the database that have begun: the next step of each.</summary>
    public List<Action> Reads { get; } = [];

    public int Kept { get; private set; }

    public void Hear(Announcement said)
    {
        Fence.Receive(said.Message);
        if (!Fence.IsLive) return;
        known = [.. known.Zip(said.Raised, Math.Max)];
    }

    /// <summary>Reads some counters as a request does, and checks the response.</summary>
    /// <param name="hasWaited">Whether it was not in memory before the request waited for a place.</param>
    public Task AskAsync(int[] tags, bool isFresh, bool hasWaited = false)
    {
        string[] names = [.. tags.Select(ModelShop.Name)];
        var least = tags.Select(tag => isFresh ? shop.Committed[tag] : Fence.IsLive ? known[tag] : 0).ToArray();
        var oldest = Fence.IsLive
            ? 0
            : clock.GetTimestamp() - TimeSpan.FromSeconds(options.Value.UnavailableSeconds).Ticks;
        var query = new CacheQuery(string.Concat(names), names)
        {
            IsPublic = true,
            IsFresh = isFresh,
            IsCheap = IsCheap,
        };
        // Whatever the state of Redis: nothing that was committed two seconds before the request is missing.
        var bound = clock.GetTimestamp() - TimeSpan.FromSeconds(options.Value.UnavailableSeconds).Ticks;
        foreach (var (i, tag) in tags.Index())
            least[i] = Math.Max(least[i], shop.CommittedAt[tag].Count(committed => committed < bound));
        return CheckAsync(query, tags, least, oldest, hasWaited);
    }

    // Redis looks it up at once; its response arrives in a step of its own.
    public async Task<SharedEntry?> FindAsync(CacheQuery query, CancellationToken ct)
    {
        if (!shop.IsRedisUp) return null;
        var found = Find(query);
        await NextStepAsync();
        return found;
    }

    private SharedEntry Find(CacheQuery query)
    {
        var (fence, entry) = shop.Find(query);
        if (entry is null) return new SharedEntry(fence, null, true);

        var tags = query.Tags[..^1].Select(name => name[0] - 'a').ToArray();
        var values = Values(entry);
        AtLeast(values, [.. tags.Select(tag => shop.Raised[tag])], "Redis gave what was raised since");
        // What is committed and not raised may be missing in it: the only case in which responses go back.
        if (shown.TryGetValue(query.Key, out var latest) && IsOlder(values, latest)) excused[query.Key] = values;
        return new SharedEntry(fence, ToAnswer(entry), false);
    }

    public Task StoreAsync(CacheQuery query, string fence, CachedResponse answer, CancellationToken ct)
    {
        if (shop.IsRedisUp) shop.Keep(query, fence, Encoding.UTF8.GetString(answer.Body.Span));
        return Task.CompletedTask;
    }

    public Task ReleaseAsync(CacheQuery query) => Task.CompletedTask;

    private async Task CheckAsync(
        CacheQuery query, int[] tags, long[] least, long oldest, bool hasWaited)
    {
        var earlier = shown.GetValueOrDefault(query.Key, new long[tags.Length]);
        var kept = query.IsFresh || hasWaited ? null : cache.Find(query.Key, query: null);
        if (kept is not null) Kept++;
        var answer = kept ?? await cache.GetAsync(query, RequestOf(tags), CancellationToken.None);
        var text = Encoding.UTF8.GetString(answer!.Body.Span);
        var values = Values(text);
        AtLeast(values, least, "older than what was heard before it was asked for");
        // Unless Redis has given an older one since.
        var isExcused = excused.TryGetValue(query.Key, out var old) && values.SequenceEqual(old);
        if (!isExcused) AtLeast(values, earlier, "older than the response before");
        var latest = shown.GetValueOrDefault(query.Key, values);
        shown[query.Key] = isExcused ? values : [.. values.Zip(latest, Math.Max)];
        AtLeast([TimeOf(text)], [Rounded(oldest)], "kept for longer than a moment while nothing was heard");
    }

    // Two steps: the snapshot of what is committed now, and the arrival of the response.
    public async Task<PageResult> ReadAsync(PageRequest request, long total, CancellationToken ct)
    {
        var tags = requested[((CursorPage)request).Size];
        await NextStepAsync();
        var values = string.Join(',', tags.Select(tag => shop.Committed[tag]));
        var text = string.Create(CultureInfo.InvariantCulture, $"{Rounded(clock.GetTimestamp())}:{values}");
        await NextStepAsync();
        return new PageResult(null, Encoding.UTF8.GetBytes(text));
    }

    private Task NextStepAsync()
    {
        var step = new TaskCompletionSource();
        Reads.Add(step.SetResult);
        return step.Task;
    }

    // A request for some counters: the page size is its number.
    private CursorPage RequestOf(int[] tags)
    {
        requested.Add(tags);
        return new CursorPage(everything, requested.Count - 1, links, null, false, null);
    }

    // Asserted millions of times.
    private static void AtLeast(long[] values, long[] least, string wrong)
    {
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i] < least[i]) throw new ShouldAssertException($"{wrong}: {values[i]} < {least[i]}");
        }
    }

    // Reads at nearly the same time have the same content.
    private static long Rounded(long timestamp) => timestamp - (timestamp % TimeSpan.TicksPerMillisecond);

    private static bool IsOlder(long[] values, long[] others) =>
        values.Zip(others).Any(pair => pair.First < pair.Second);

    private static CachedResponse ToAnswer(string text) => CachedResponse.Of(Encoding.UTF8.GetBytes(text));

    private static long TimeOf(string text) => long.Parse(text.Split(':')[0], CultureInfo.InvariantCulture);

    private static long[] Values(string text) =>
        [.. text.Split(':')[1].Split(',').Select(value => long.Parse(value, CultureInfo.InvariantCulture))];
}
