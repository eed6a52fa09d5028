using System.Text;
using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The real scripts on a real Redis: an entry is served until one of its tags is raised.</summary>
public sealed class RedisCacheTests : IAsyncLifetime
{
    private readonly CacheNames names = new($"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:");
    private readonly CacheQuery query = new(
        "products/v2?page=1", ["products", "categories:3:products"]) { IsPublic = true, Epoch = 1 };
    private readonly List<RedisConnection> connections = [];
    private TagWriter writer = null!;
    private ISharedCache redis = null!;

    public async Task InitializeAsync()
    {
        writer = await TagWriter.ConnectAsync(Servers.Redis, names.Prefix);
        redis = await ProcessAsync();
    }

    public async Task DisposeAsync()
    {
        writer.Dispose();
        foreach (var connection in connections) await connection.DisposeAsync();
    }

    [Fact]
    public async Task A_process_finds_what_another_stored_with_its_headers()
    {
        var body = Encoding.UTF8.GetBytes("{\"line\":\"\\n\n\",\"name\":\"\u6F22\"}");
        await KeepAsync(redis, new CachedResponse(body, "\"tag\"", "</products/v2?page=2>; rel=\"next\""));

        var other = await ProcessAsync();
        var found = (await FindAsync(other)).Response!;
        found.Body.ToArray().ShouldBe(body);
        (found.ETag, found.Link).ShouldBe(("\"tag\"", "</products/v2?page=2>; rel=\"next\""));
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories:3:products")]
    [InlineData(CacheTags.Everything)]
    public async Task An_entry_ends_with_its_own_tags_and_not_with_others(string tag)
    {
        await KeepAsync(redis, Some());
        await writer.RaiseAsync("reviews", "products:3");
        (await FindAsync(redis)).Response.ShouldNotBeNull();

        await writer.RaiseAsync(tag);
        (await FindAsync(redis)).Response.ShouldBeNull();
    }

    [Fact]
    public async Task What_was_read_before_a_raise_is_not_served_after_it()
    {
        var before = await FindAsync(redis);
        await writer.RaiseAsync("products");
        await redis.StoreAsync(query, before.Fence, Some(), CancellationToken.None);
        (await FindAsync(redis)).Response.ShouldBeNull();
    }

    [Fact]
    public async Task A_tag_that_Redis_evicted_ends_the_entry()
    {
        await KeepAsync(redis, Some());
        await writer.RaiseAsync("products");
        await writer.Redis.KeyDeleteAsync(names.Generation("products"));
        await writer.Redis.KeyDeleteAsync(names.LastGeneration);
        for (var i = 0; i < 2; i++) (await FindAsync(redis)).Response.ShouldBeNull();
    }

    [Fact]
    public async Task A_generation_made_by_a_lookup_is_lower_than_that_of_the_next_raise()
    {
        await writer.Redis.StringSetAsync(names.LastGeneration, 8_000_000_000_000_000);
        await KeepAsync(redis, Some());
        await writer.RaiseAsync("products");
        (await FindAsync(redis)).Response.ShouldBeNull();
        ((long)await writer.Redis.StringGetAsync(names.LastGeneration)).ShouldBeGreaterThan(8_000_000_000_000_001);
    }

    [Fact]
    public async Task Another_epoch_is_another_entry()
    {
        await KeepAsync(redis, Some());
        var found = await redis.FindAsync(query with { Epoch = 2 }, CancellationToken.None);
        found!.Value.Response.ShouldBeNull();
    }

    [Fact]
    public async Task One_process_reads_while_the_others_wait_for_its_response()
    {
        var other = await ProcessAsync();
        await LeaseAsync(redis);
        (await FindAsync(other)).HasLease.ShouldBeFalse();

        await KeepAsync(redis, Some());
        (await FindAsync(other)).Response.ShouldNotBeNull();
        await writer.RaiseAsync("products");
        (await FindAsync(other)).HasLease.ShouldBeTrue("the lease was released");
        var lease = await writer.Redis.StringGetWithExpiryAsync(LeaseKey);
        // A pause of this machine may have been as long.
        if (!lease.Value.HasValue) return;
        lease.Expiry.ShouldNotBeNull().ShouldBeLessThanOrEqualTo(
            TimeSpan.FromSeconds(2), "a process that dies blocks the others only for seconds");
    }

    [Fact]
    public async Task A_response_that_is_late_does_not_release_the_lease_of_another_process()
    {
        ISharedCache second = await ProcessAsync(), third = await ProcessAsync();
        var late = await FindAsync(redis);
        late.HasLease.ShouldBeTrue();
        await writer.Redis.KeyDeleteAsync(LeaseKey);
        await writer.RaiseAsync("products");
        await LeaseAsync(second);

        await redis.StoreAsync(query, late.Fence, Some(), CancellationToken.None);
        (await FindAsync(third)).HasLease.ShouldBeFalse();
    }

    [Fact]
    public async Task A_response_above_the_limit_is_not_cached()
    {
        await KeepAsync(redis, CachedResponse.Of(new byte[CachingOptions.LargestResponse]));
        (await FindAsync(redis)).Response.ShouldNotBeNull();
        await writer.RaiseAsync("products");
        await KeepAsync(redis, CachedResponse.Of(new byte[CachingOptions.LargestResponse + 1]));
        (await FindAsync(redis)).Response.ShouldBeNull();
    }

    private string LeaseKey => $"{names.Prefix}answer:1:{query.Key} lease";

    private static CachedResponse Some() => CachedResponse.Of("[]"u8.ToArray());

    private async Task<SharedEntry> FindAsync(ISharedCache process) =>
        (await process.FindAsync(query, CancellationToken.None)).ShouldNotBeNull();

    // A process gets the lease, which then does not expire while this machine pauses.
    private async Task LeaseAsync(ISharedCache process)
    {
        for (var attempt = 0; attempt < 5; attempt++)
        {
            (await FindAsync(process)).HasLease.ShouldBeTrue("no other process has the lease");
            if (await writer.Redis.KeyPersistAsync(LeaseKey)) return;
        }

        throw new ShouldAssertException("No lease was stored.");
    }

    private async Task KeepAsync(ISharedCache process, CachedResponse answer)
    {
        var place = await FindAsync(process);
        await process.StoreAsync(query, place.Fence, answer, CancellationToken.None);
    }

    private async Task<ISharedCache> ProcessAsync()
    {
        // Generous, since other tests load the machine; another test covers the time limit.
        var options = Options.Create(new CachingOptions { Redis = Servers.Redis, RedisMilliseconds = 10_000 });
        var connection = new RedisConnection(options, TimeProvider.System);
        connections.Add(connection);
        await connection.ConnectAsync();
        var meters = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var metrics = ActivatorUtilities.CreateInstance<CacheMetrics>(meters, new TagFence(TimeProvider.System, 1));
        return new RedisCache(connection, names, options, metrics);
    }
}
