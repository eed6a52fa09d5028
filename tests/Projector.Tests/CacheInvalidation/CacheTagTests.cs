using System.Collections.Concurrent;
using System.Globalization;
using ApexShop.Caching;
using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using StackExchange.Redis;

namespace ApexShop.Projector.Tests.CacheInvalidation;

public sealed class CacheTagTests(ReadStore store) : ProjectorTest(store)
{
    private const string Nowhere = "127.0.0.1:1,connectTimeout=200";

    private static readonly CacheNames names = new();

    private readonly PrivateRedis server = new();

    public override async Task InitializeAsync()
    {
        await server.StartAsync();
        await base.InitializeAsync();
    }

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        server.Dispose();
    }

    [Fact]
    public async Task A_change_raises_the_tags_of_all_documents_it_changed_and_no_other()
    {
        await using var projector = New();
        await projector.ApplyEachAsync([
            History.Category(1, "Books"),
            History.Category(2, "Toys"),
            History.Product(10, "Pen"),
            History.User(5, "Ann", "Lee"),
            History.Order(1, 5, "Pending", (10, 1, 1m)),
            History.Review(1, 10, 5, 4),
        ]);
        await RaisedAsync(projector);
        using var redis = await ConnectAsync();
        var heard = await ListenAsync(redis);

        await projector.ApplyAsync(History.Product(10, "Quill", category: 2));

        await RaisedAsync(projector);
        await Eventually.Holds(() => Task.FromResult(!heard.IsEmpty), "the announcement");
        heard.TryDequeue(out var announcement);
        var parts = announcement!.Split(' ');
        parts[0].ShouldBe((string)(await redis.GetDatabase().StringGetAsync(names.Announcements))!);
        parts[2..].Order(StringComparer.Ordinal).ShouldBe(new[]
        {
            "categories", "categories:1", "categories:1:products", "categories:2", "categories:2:products",
            "products", "products:10", "products:10:reviews", "reviews", "reviews:1", "users:5:reviews",
        });
        foreach (var tag in parts[2..])
        {
            ((string?)await redis.GetDatabase().StringGetAsync(names.Generation(tag))).ShouldBe(parts[1]);
            (await redis.GetDatabase().KeyTimeToLiveAsync(names.Generation(tag)))!.Value.TotalMinutes.ShouldBe(60, 1);
        }
    }

    [Fact]
    public async Task A_change_of_a_document_that_cannot_be_read_raises_the_tag_of_the_list_that_it_has_left()
    {
        await using var projector = New();
        await projector.ApplyAsync(History.Product(10, "Pen", category: 1));
        await RaisedAsync(projector);
        await Store.ExecuteAsync("UPDATE read.products SET body = '{'");
        using var redis = await ConnectAsync();
        var before = await GenerationAsync(redis, "categories:1:products");

        await projector.ApplyAsync(History.Product(10, "Pen", category: 2));

        await RaisedAsync(projector);
        (await GenerationAsync(redis, "categories:1:products")).ShouldBeGreaterThan(before);
    }

    [Fact]
    public async Task A_generation_increases_even_when_its_clock_goes_back()
    {
        using var redis = await ConnectAsync();
        await redis.GetDatabase().StringSetAsync(names.LastGeneration, 8_000_000_000_000_000);
        await using var projector = New();

        await projector.ApplyAsync(History.Product(10, "Pen"));

        await RaisedAsync(projector);
        var generation = await GenerationAsync(redis, "products:10");
        generation.ShouldBeGreaterThan(8_000_000_000_000_000);

        await projector.ApplyAsync(History.Product(10, "Quill"));
        await RaisedAsync(projector);
        (await GenerationAsync(redis, "products:10")).ShouldBeGreaterThan(generation);
    }

    [Fact]
    public async Task No_number_of_an_announcement_is_repeated_after_the_loss_of_the_last_one()
    {
        using var redis = await ConnectAsync();
        var heard = await ListenAsync(redis);
        await using var projector = New();
        await projector.ApplyAsync(History.Product(10, "Pen"));
        await RaisedAsync(projector);
        await redis.GetDatabase().KeyDeleteAsync([names.Announcements, names.LastGeneration]);

        await projector.ApplyAsync(History.Product(10, "Quill"));
        await RaisedAsync(projector);
        await projector.ApplyAsync(History.Product(10, "Feather"));
        await RaisedAsync(projector);

        await Eventually.Holds(() => heard.Count == 3, "the announcements");
        var numbers = heard.Select(text => long.Parse(text.Split(' ')[0], CultureInfo.InvariantCulture)).ToList();
        numbers[1].ShouldBeGreaterThan(numbers[0] + 1, "the loss is seen as a gap");
        numbers[2].ShouldBe(numbers[1] + 1);
    }

    [Fact]
    public async Task A_repeat_raises_what_a_crash_after_the_commit_left_unraised()
    {
        await using var projector = await ConnectedAsync();
        var message = History.Product(10, "Pen");
        await CrashAfterCommitAsync(message);
        using var redis = await ConnectAsync();
        (await GenerationAsync(redis, "products:10")).ShouldBe(0);

        await projector.ApplyAsync(message);

        (await GenerationAsync(redis, "products:10")).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task The_next_batch_raises_what_a_crash_after_the_commit_left_unraised()
    {
        await using var projector = await ConnectedAsync();
        await CrashAfterCommitAsync(History.Product(10, "Pen"));

        await projector.ApplyAsync(History.User(5, "Ann", "Lee"));

        using var redis = await ConnectAsync();
        (await GenerationAsync(redis, "products:10")).ShouldBeGreaterThan(0);
        (await GenerationAsync(redis, "users:5")).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Tags_are_kept_in_the_database_while_Redis_is_unavailable_and_are_raised_afterwards()
    {
        var logs = new CollectedLogs();
        await using var projector = await ConnectedAsync(logs);
        await projector.ApplyAsync(History.Product(10, "Pen"));
        await server.StopAsync();

        for (var i = 0; i < 5; i++) await projector.ApplyAsync(History.Product(11 + i, "Ink"));
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(6);

        await server.StartAsync();
        await RaisedAsync(projector);
        using var redis = await ConnectAsync();
        for (var i = 0; i < 5; i++) (await GenerationAsync(redis, $"products:{11 + i}")).ShouldBeGreaterThan(0);
        logs.Lines.Count(line => line.StartsWith("Redis is unavailable", StringComparison.Ordinal)).ShouldBe(1);
        logs.Lines.ShouldContain("Redis is available again");
    }

    [Fact]
    public async Task A_Redis_that_does_not_respond_delays_a_batch_no_longer_than_its_limit()
    {
        await using var projector = new TestProjector(
            Store.Database.Projector, History, server.SlowConfiguration, redisLimit: TimeSpan.FromMilliseconds(100));
        using var redis = await ConnectAsync();
        await redis.GetDatabase().ExecuteAsync("CLIENT", "PAUSE", "60000");

        await projector.ApplyEachAsync([History.Product(10, "Pen"), History.Product(11, "Ink")]).WaitAsync(
            TimeSpan.FromSeconds(20));

        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldContain("products:10");
    }

    [Fact]
    public async Task The_next_batch_is_committed_while_tags_are_raised_and_none_is_done_before_they_are()
    {
        await using var projector = new TestProjector(
            Store.Database.Projector, History, server.SlowConfiguration, redisLimit: TimeSpan.FromSeconds(60));
        await projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        using var redis = await ConnectAsync();
        await redis.GetDatabase().ExecuteAsync("CLIENT", "PAUSE", "60000", "WRITE");

        var first = projector.DeliverAsync(History.Product(10, "Pen"));
        await AppliedAsync(1);
        var second = projector.DeliverAsync(History.Product(11, "Ink"));
        await AppliedAsync(2);

        first.IsCompleted.ShouldBeFalse();
        second.IsCompleted.ShouldBeFalse();
        var pending = await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state");
        pending.ShouldContain("products:10", "a crash now must not lose the tags of the first");
        pending.ShouldContain("products:11");

        await redis.GetDatabase().ExecuteAsync("CLIENT", "UNPAUSE");
        await Task.WhenAll(first, second).WaitAsync(TimeSpan.FromSeconds(60));
        (await GenerationAsync(redis, "products:10")).ShouldBeGreaterThan(0);
        (await GenerationAsync(redis, "products:11")).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Tags_that_another_projector_stored_meanwhile_are_still_raised()
    {
        await using var projector = New();
        await projector.ApplyAsync(History.Product(10, "Pen"));
        await RaisedAsync(projector);
        await CrashAfterCommitAsync(History.Product(10, "Quill"));
        using var redis = await ConnectAsync();
        var before = await GenerationAsync(redis, "products:10");
        await RaisedAsync(projector);

        (await GenerationAsync(redis, "products:10")).ShouldBeGreaterThan(before);
    }

    [Fact]
    public async Task Tags_that_were_stored_after_those_that_are_raised_stay()
    {
        await using var database = ReadDatabase.Create(Store.Database.Projector);
        var record = new RaisedTags(database);
        await CrashAfterCommitAsync(History.Product(10, "Pen"));
        var raised = await record.PendingAsync(CancellationToken.None);
        await CrashAfterCommitAsync(History.Product(11, "Ink"));

        await record.ClearAsync(raised!, CancellationToken.None);

        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldContain("products:11");
    }

    [Fact]
    public async Task Too_many_pending_tags_become_the_tag_of_every_cached_response()
    {
        await using var projector = new TestProjector(Store.Database.Projector, History, Nowhere);
        await Store.ExecuteAsync(
            "UPDATE read.projection_state SET pending_tags = ARRAY(SELECT 'products:' || i FROM "
            + "generate_series(1, 10000) i)");

        await projector.ApplyAsync(History.User(5, "Ann", "Lee"));

        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldBe([CacheTags.Everything]);
    }

    private Task AppliedAsync(int products) => Eventually.Holds(
        async () => await Store.ScalarAsync<long>("SELECT count(*) FROM read.products") == products,
        "the product is committed");

    // As if it had died right after its commit: it cannot reach Redis, and is gone before it tries again.
    private async Task CrashAfterCommitAsync(LogEntry message)
    {
        await using var crashed = new TestProjector(Store.Database.Projector, History, Nowhere);
        await crashed.ApplyAsync(message);
    }

    // What the loop does each second.
    private Task RaisedAsync(TestProjector projector) => Eventually.Holds(async () =>
    {
        await projector.Tags.RaiseStoredAsync(CancellationToken.None);
        return await Store.ScalarAsync<int>("SELECT cardinality(pending_tags) FROM read.projection_state") == 0;
    }, "nothing is pending", TimeSpan.FromSeconds(60));

    // Before a tag is pending, which it would raise: then the next batch needs no attempt to connect.
    private async Task<TestProjector> ConnectedAsync(CollectedLogs? logs = null)
    {
        var projector = New(logs);
        await Eventually.Holds(async () =>
        {
            await projector.Tags.RaiseStoredAsync(CancellationToken.None);
            return !projector.Generations.IsUnavailable;
        }, "Redis is available");
        return projector;
    }

    private TestProjector New(CollectedLogs? logs = null) =>
        new(Store.Database.Projector, History, server.SlowConfiguration, logs);

    private Task<ConnectionMultiplexer> ConnectAsync() =>
        ConnectionMultiplexer.ConnectAsync(server.SlowConfiguration);

    private static async Task<long> GenerationAsync(ConnectionMultiplexer redis, string tag) =>
        (long)await redis.GetDatabase().StringGetAsync(names.Generation(tag));

    private static async Task<ConcurrentQueue<string>> ListenAsync(ConnectionMultiplexer redis)
    {
        var heard = new ConcurrentQueue<string>();
        await redis.GetSubscriber().SubscribeAsync(names.Channel, (_, message) => heard.Enqueue(message!));
        return heard;
    }
}
