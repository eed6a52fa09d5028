using ApexShop.TestKit;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The cache of one process over the model of the rest; what it answers is checked.</summary>
internal sealed class ModelProcess : ISharedLevel
{
    private static readonly CacheMetrics metrics = new(
        new ServiceCollection().AddMetrics().BuildServiceProvider().GetRequiredService<IMeterFactory>(), new TagFence(TimeProvider.System, 1));

    // Never asked: the epoch is known.
    private static readonly ReadDatabase database = new(
        Options.Create(new ReadingOptions { ConnectionString = "Host=nowhere.invalid" }), Options.Create(new StreamingOptions()));

    private static readonly IOptions<CachingOptions> options = Options.Create(new CachingOptions
    {
        LeaseWaitMilliseconds = 0,
        MemorySeconds = 120,
        UnavailableSeconds = 2,
    });

    private readonly ModelShop shop;
    private readonly ManualClock clock;
    private readonly AnswerCache cache;

    // By what was heard, each counter is at least this.
    private long[] known = new long[ModelShop.Tags];

    public ModelProcess(ModelShop shop, ManualClock clock, int slots = 64)
    {
        (this.shop, this.clock) = (shop, clock);
        Fence = new TagFence(clock, slots);
        var memory = new MemoryLevel<string>(1, Fence, options, metrics, clock);
        var epoch = new ReadEpoch(database, Fence);
        epoch.Saw(1);
        cache = new AnswerCache(memory, this, new Flights(Fence), Fence, epoch, options, metrics, clock);
        shop.Processes.Add(this);
    }

    public TagFence Fence { get; }

    public bool IsSubscribed { get; set; } = true;

    /// <summary>What was said to this process and not heard yet.</summary>
    public List<Announcement> Coming { get; } = [];

    /// <summary>Reads of the database that have begun: the next step of each.</summary>
    public List<Action> Reads { get; } = [];

    public int Kept { get; private set; }

    public void Hear(Announcement said)
    {
        Fence.Hear(said.Message);
        if (!Fence.IsLive) return;
        known = [.. known.Zip(said.Raised, Math.Max)];
    }

    /// <summary>Asks for some counters as a request does, and checks the answer when it comes.</summary>
    public Task AskAsync(int[] tags, bool isFresh)
    {
        string[] names = [.. tags.Select(ModelShop.Name)];
        var least = tags.Select(tag => isFresh ? shop.Committed[tag] : Fence.IsLive ? known[tag] : 0).ToArray();
        var oldest = Fence.IsLive ? 0 : clock.GetTimestamp() - TimeSpan.FromSeconds(options.Value.UnavailableSeconds).Ticks;
        var question = new Question(string.Concat(names), names) { IsPublic = true, IsFresh = isFresh };
        return CheckAsync(question, tags, least, oldest);
    }

    public Task<SharedAnswer?> FindAsync(Question question, CancellationToken ct)
    {
        if (!shop.IsRedisUp) return Task.FromResult<SharedAnswer?>(null);
        var (fence, entry) = shop.Find(question);
        if (entry is null) return Task.FromResult<SharedAnswer?>(new SharedAnswer(fence, null, true));

        var tags = question.Tags[..^1].Select(name => name[0] - 'a').ToArray();
        AtLeast(Values(entry), [.. tags.Select(tag => shop.Raised[tag])], "Redis gave what was raised since");
        return Task.FromResult<SharedAnswer?>(new SharedAnswer(fence, ToAnswer(entry), false));
    }

    public Task KeepAsync(Question question, string fence, Answer answer, CancellationToken ct)
    {
        if (shop.IsRedisUp) shop.Keep(question, fence, Encoding.UTF8.GetString(answer.Body.Span));
        return Task.CompletedTask;
    }

    private async Task CheckAsync(Question question, int[] tags, long[] least, long oldest)
    {
        var kept = question.IsFresh ? null : cache.Find(question.Key, query: null);
        if (kept is not null) Kept++;
        var answer = kept ?? await cache.ReadAsync(question, _ => ReadAsync(tags), CancellationToken.None);
        var text = Encoding.UTF8.GetString(answer!.Body.Span);
        AtLeast(Values(text), least, "older than what was heard before it was asked for");
        AtLeast([TimeOf(text)], [oldest], "kept for longer than a moment while nothing was heard");
    }

    // Two steps: the database gives what is committed now, and the answer arrives later.
    private async Task<Answer?> ReadAsync(int[] tags)
    {
        var snapshot = new TaskCompletionSource();
        Reads.Add(snapshot.SetResult);
        await snapshot.Task;
        var text = string.Create(
            CultureInfo.InvariantCulture, $"{clock.GetTimestamp()}:{string.Join(',', tags.Select(tag => shop.Committed[tag]))}");
        var arrival = new TaskCompletionSource();
        Reads.Add(arrival.SetResult);
        await arrival.Task;
        return ToAnswer(text);
    }

    // Asserted millions of times.
    private static void AtLeast(long[] values, long[] least, string wrong)
    {
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i] < least[i]) throw new ShouldAssertException($"{wrong}: {values[i]} < {least[i]}");
        }
    }

    private static Answer ToAnswer(string text) => new(Encoding.UTF8.GetBytes(text), "");

    private static long TimeOf(string text) => long.Parse(text.Split(':')[0], CultureInfo.InvariantCulture);

    private static long[] Values(string text) =>
        [.. text.Split(':')[1].Split(',').Select(value => long.Parse(value, CultureInfo.InvariantCulture))];
}
