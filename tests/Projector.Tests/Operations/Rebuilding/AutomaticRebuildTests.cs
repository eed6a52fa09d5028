using ApexShop.Projector.Tests.Harness;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>When a rebuild that no operator has requested begins again after it has failed.</summary>
public sealed class AutomaticRebuildTests(ReadStore store) : RebuildingTest(store)
{
    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(1, 0, true)]
    [InlineData(5, 100, false)]
    [InlineData(2, 15, true)]
    [InlineData(4, 10, false)]
    [InlineData(3, 35, true)]
    [InlineData(90, 500, false)]
    [InlineData(90, 610, true)]
    public async Task The_pause_after_the_last_failure_is_longer_with_each_one(int failures, int seconds, bool isDue)
    {
        await AddAsync("failed", failures, seconds);

        (await IsDueAsync()).ShouldBe(isDue);
    }

    [Fact]
    public async Task The_pause_begins_at_the_end_of_the_last_one()
    {
        await AddAsync("failed", count: 5, seconds: 200, took: 195);
        (await IsDueAsync()).ShouldBeFalse();
    }

    [Fact]
    public async Task Rebuilds_whose_Projector_ended_count_as_failed_ones()
    {
        await AddAsync("running", count: 8, seconds: 30);
        (await IsDueAsync()).ShouldBeFalse();
    }

    [Fact]
    public async Task After_one_that_succeeded_earlier_failures_do_not_count()
    {
        await AddAsync("failed", count: 8, seconds: 30);
        await AddAsync("done", count: 1, seconds: 20);
        (await IsDueAsync()).ShouldBeTrue();

        await AddAsync("failed", count: 5, seconds: 0);
        (await IsDueAsync()).ShouldBeFalse();
    }

    [Fact]
    public async Task Those_that_ended_before_the_clock_was_set_back_do_not_count()
    {
        await AddAsync("failed", count: 2, seconds: 20);
        await AddAsync("failed", count: 5, seconds: -86_400);
        await AddAsync("failed", count: 5, seconds: 600, took: 7_200);
        (await IsDueAsync()).ShouldBeTrue();

        await AddAsync("failed", count: 5, seconds: 0);
        (await IsDueAsync()).ShouldBeFalse("the later ones count");
    }

    [Fact]
    public async Task In_the_pause_an_operator_can_begin_one()
    {
        await FillAsync();
        await AddAsync("failed", count: 8, seconds: 0);

        (await Projector.Rebuilder.BeginAutomaticAsync("a test", () => Task.FromResult(true), CancellationToken.None))
            .ShouldBeNull();
        ShouldBeDone(await Projector.RebuildAsync());
    }

    [Fact]
    public async Task Only_the_last_hundred_rebuilds_are_kept()
    {
        await FillAsync();
        await AddAsync("failed", count: 150, seconds: 0);

        ShouldBeDone(await Projector.RebuildAsync());

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(100);
        (await Store.ScalarAsync<string>("SELECT status ->> 'state' FROM read.rebuilds ORDER BY number DESC LIMIT 1"))
            .ShouldBe("done");
    }

    private Task<bool> IsDueAsync() => Projector.Record.IsAutomaticDueAsync(CancellationToken.None);

    // Rebuilds that began so many seconds ago, and took so many seconds.
    private Task AddAsync(string state, int count, int seconds, int took = 0) => Store.ExecuteAsync(
        FormattableString.Invariant($"""
            INSERT INTO read.rebuilds (started_at, status)
            SELECT clock_timestamp() - interval '{seconds} seconds',
                jsonb_build_object('state', '{state}', 'seconds', {took}::float8)
            FROM generate_series(1, {count})
            """));
}
