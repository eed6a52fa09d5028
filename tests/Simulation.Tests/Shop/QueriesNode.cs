using ApexShop.Caching;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Simulation.Tests.Caching;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Scheduling;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>A process of Queries.Api: its caches, its subscription, and the wait for consistency tokens.</summary>
internal sealed class QueriesNode(SimulatedShop shop, string name) : Node(shop, name)
{
    public static readonly ConsistencyTokens Tokens = new(Convert.ToBase64String(new byte[32]));

    private static readonly CacheMetrics metrics = new(SimulatedShop.NoMeters, new TagFence(TimeProvider.System, 1));
    private static readonly WaitMetrics waits = new(SimulatedShop.NoMeters);
    private static readonly IOptions<CachingOptions> caching = Options.Create(new CachingOptions { Redis = "redis" });

    private static readonly IOptions<ReadingOptions> reading = Options.Create(
        new ReadingOptions { ConnectionString = "Host=nowhere.invalid" });

    // Never used: the epoch is known before a page is looked up in Redis.
    private static readonly ReadDatabase database = new(reading);
    private static readonly ListReader lists = new(database, new ExpensiveCounts(TimeProvider.System));
    private static readonly RecentKeys recent = new(caching, TimeProvider.System);
    private static readonly PageLinks links = new("/", new DefaultHttpContext().Request.Query);
    private static readonly ReadModel products = ReadModel.Of(Resources.Resource.Products);
    private static readonly ListQuery list = ListQuery.From(products, new QueryParameters(new QueryCollection()));

    private DocumentCache documents = null!;
    private ResponseCache pages = null!;

    /// <summary>Null until the process has composed its parts.</summary>
    public TagFence? Fence { get; private set; }

    public ConsistencyGate Gate { get; private set; } = null!;

    /// <summary>By tag, the last commit before the raise of which this process has received the announcement.</summary>
    public Dictionary<string, long> Known { get; private set; } = [];

    public Task<CachedResponse?> ReadAsync(int page, bool isFresh)
    {
        if (page >= Pages.Lists) return documents.GetAsync(page - Pages.Lists, isFresh, CancellationToken.None);
        var tag = Guarantees.TagOf(page);
        var query = new CacheQuery(tag, [tag]) { IsPublic = true, IsFresh = isFresh };
        return !isFresh && pages.Find(tag, null) is { } found
            ? Task.FromResult<CachedResponse?>(found)
            : pages.GetAsync(query, new CursorPage(list, page, links, null, false, null), CancellationToken.None);
    }

    protected override void Compose(SimulatedProcess process)
    {
        var clock = process.Clock;
        var fence = new TagFence(clock, SimulatedShop.Slots);
        Known = [];
        var connection = new ModelMultiplexer(process, Shop.Redis, Shop.Redis.Server, Shop.Network)
        {
            Received = message => Hear(fence, message),
        };
        var redis = new RedisConnection(caching, clock, connection.ConnectAsync);
        var store = new QueriesStore(process, Shop.Read, Shop.Network, Shop.Pages);
        var names = new CacheNames();
        var epoch = new ReadEpoch(database, fence);
        var ofDocuments = new MemoryCache<long>(64, fence, caching, metrics, clock);
        var ofPages = new MemoryCache<string>(64, fence, caching, metrics, clock);
        var shared = Shop.Bugs.SharedCache(new RedisCache(redis, names, caching, metrics));
        var counts = new CountCache(lists, shared, fence, epoch, caching);
        var rules = new SharedCachingRules(fence, caching);
        documents = new DocumentCache(
            products, 0, store, ofDocuments, fence, epoch, metrics, rules, reading);
        pages = new ResponseCache(
            ofPages, shared, counts, store, fence, epoch, recent, rules, caching, metrics, clock);
        Gate = new ConsistencyGate(
            Shop.Bugs.Versions(store), Tokens, Options.Create(new ConsistencyOptions()), reading, clock, waits);
        Fence = fence;
        Run(process, new TagSubscriber(
            redis,
            names,
            fence,
            new UnraisedChanges(Shop.Bugs.PendingState(store), epoch, clock),
            new PurgeFeed(fence, caching, clock),
            ofDocuments,
            ofPages,
            clock,
            NullLogger<TagSubscriber>.Instance));
    }

    private void Hear(TagFence fence, string message)
    {
        if (!fence.IsLive || message[0] == '?') return;
        var commit = Shop.Guarantees.CommitOf(message);
        foreach (var tag in message.Split(' ').Skip(2)) Known[tag] = Math.Max(Known.GetValueOrDefault(tag), commit);
    }
}
