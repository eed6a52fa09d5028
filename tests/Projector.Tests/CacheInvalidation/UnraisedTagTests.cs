using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Projector.Tests.CacheInvalidation;

/// <summary>What other processes and operators see of tags that cannot be raised.</summary>
public sealed class UnraisedTagTests(ReadStore store) : ProjectorTest(store)
{
    private const string SinceSql = "SELECT pending_since FROM read.projection_state";
    private const string RaisedSql = """
        SELECT count(*) FROM read.projection_state s, read.raised_tags r
        WHERE s.pending_tags = '{}' OR s.xmin = r.version
        """;

    private static readonly DateTime start = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

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
    public async Task The_database_has_the_time_since_when_tags_are_pending_until_they_are_raised()
    {
        await using var projector = New();
        await server.StopAsync();
        await projector.ApplyAsync(History.Product(10, "Pen"));
        var since = await Store.ScalarAsync<DateTime>(SinceSql);
        await projector.ApplyAsync(History.Product(11, "Ink"));
        (await Store.ScalarAsync<DateTime>(SinceSql)).ShouldBe(since, "the tags of the first are pending still");
        (await Store.ScalarAsync<long>(RaisedSql)).ShouldBe(0);

        await server.StartAsync();
        await RaisedAsync(projector);
        (await Store.ScalarAsync<object>(SinceSql)).ShouldBe(DBNull.Value);

        await projector.ApplyAsync(History.Product(12, "Nib"));
        (await Store.ScalarAsync<DateTime>(SinceSql)).ShouldBeGreaterThan(since);
    }

    [Fact]
    public async Task Raised_tags_are_not_pending_although_a_batch_locks_their_row()
    {
        await using var projector = new TestProjector(
            Store.Database.Projector, History, server.SlowConfiguration);
        await projector.ApplyAsync(History.Product(10, "Pen"));
        await using var connection = new Npgsql.NpgsqlConnection(Store.Database.Projector);
        await connection.OpenAsync();
        await using var batch = await connection.BeginTransactionAsync();
        await using (var hold = new Npgsql.NpgsqlCommand(PendingTags.SelectSql + " FOR UPDATE", connection))
            await hold.ExecuteNonQueryAsync();

        await projector.Tags.RaiseStoredAsync(CancellationToken.None).WaitAsync(TimeSpan.FromSeconds(20));

        (await Store.ScalarAsync<long>(RaisedSql)).ShouldBe(1);
    }

    [Fact]
    public void Tags_that_were_stored_while_others_were_raised_are_pending_since_those_were_stored()
    {
        var first = new PendingTags(["a"], start, 1, start);
        var second = new PendingTags(["a", "b"], start, 2, start.AddSeconds(1));
        var third = new PendingTags(["a", "b", "c"], start, 3, start.AddSeconds(2));

        second.After(PendingTags.None).Since.ShouldBe(start);
        third.After(first with { At = start.AddSeconds(0.5) }).Since.ShouldBe(start.AddSeconds(0.5));
        third.After(second).Since.ShouldBe(second.At);
        third.After(third).ShouldSatisfyAllConditions(
            left => left.Tags.ShouldBeEmpty(), left => left.Since.ShouldBeNull());
        // The database's clock went back: the older time is the safe one.
        second.After(third).Since.ShouldBe(start);
    }

    [Fact]
    public async Task A_change_is_measured_as_visible_only_when_its_tags_are_raised()
    {
        await using var projector = New();
        using var metered = new MeterReader(projector.Meters);
        await server.StopAsync();
        await projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Ink"));
        (metered.Read().Value("apexshop_visible_duration_seconds_count", "via", "message") ?? 0).ShouldBe(0);

        await server.StartAsync();
        await RaisedAsync(projector);

        metered.Read().Value("apexshop_visible_duration_seconds_count", "via", "message").ShouldBe(2);
    }

    [Fact]
    public async Task Redis_counts_as_available_again_although_another_Projector_raised_the_tags()
    {
        await using var projector = New();
        await using var other = New();
        await server.StopAsync();
        await projector.ApplyAsync(History.Product(10, "Pen"));
        projector.Generations.IsUnavailable.ShouldBeTrue();
        await server.StartAsync();
        await RaisedAsync(other);

        await Eventually.Holds(async () =>
        {
            await projector.Tags.RaiseStoredAsync(CancellationToken.None);
            return !projector.Generations.IsUnavailable;
        }, "Redis is available");
    }

    [Fact]
    public async Task Redis_counts_as_unavailable_although_no_tag_was_raised()
    {
        await using var projector = New();
        projector.Generations.IsUnavailable.ShouldBeTrue("no attempt was made");
        await BecomesAsync(isUnavailable: false);
        await server.StopAsync();
        await BecomesAsync(isUnavailable: true);
        await server.StartAsync();
        await BecomesAsync(isUnavailable: false);

        Task BecomesAsync(bool isUnavailable) => Eventually.Holds(async () =>
        {
            await projector.Tags.RaiseStoredAsync(CancellationToken.None);
            return projector.Generations.IsUnavailable == isUnavailable;
        }, $"Redis is {(isUnavailable ? "unavailable" : "available")}");
    }

    private Task RaisedAsync(TestProjector projector) => Eventually.Holds(async () =>
    {
        await projector.Tags.RaiseStoredAsync(CancellationToken.None);
        return await Store.ScalarAsync<int>("SELECT cardinality(pending_tags) FROM read.projection_state") == 0;
    }, "nothing is pending");

    private TestProjector New() => new(Store.Database.Projector, History, server.Configuration);
}
