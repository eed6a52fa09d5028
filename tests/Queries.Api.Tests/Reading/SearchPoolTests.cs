using System.Diagnostics;
using ApexShop.Queries.Api.Reading;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>The places of searches, without a database: the reads only wait.</summary>
public sealed class SearchPoolTests
{
    private static readonly TimeSpan read = TimeSpan.FromMilliseconds(40);

    // A timer may be a little early.
    private static readonly TimeSpan tolerance = TimeSpan.FromMilliseconds(10);

    [Fact]
    public async Task A_paced_place_is_free_after_a_pause_as_long_as_the_read()
    {
        await using var pool = Pool(isPaced: true);
        (await TimeOfTwoAsync(pool, read)).ShouldBeGreaterThan((3 * read) - tolerance);
    }

    [Fact]
    public async Task After_a_read_of_less_than_a_millisecond_a_paced_place_pauses_too()
    {
        await using var pool = Pool(isPaced: true);
        var began = Stopwatch.GetTimestamp();
        for (var i = 0; i < 100; i++) await RunAsync(pool, TimeSpan.Zero);
        // Without pauses they take less than a millisecond together. A timer of one millisecond may end much earlier.
        Stopwatch.GetElapsedTime(began).ShouldBeGreaterThan(TimeSpan.FromMilliseconds(15));
    }

    [Fact]
    public async Task A_failed_read_releases_its_place_too()
    {
        await using var pool = Pool(isPaced: true);
        await Should.ThrowAsync<InvalidOperationException>(
            () => pool.RunAsync<int>(_ => throw new InvalidOperationException(), CancellationToken.None));
        await RunAsync(pool, TimeSpan.Zero);
    }

    [Theory]
    [InlineData(0.1, false)]
    [InlineData(1.0, true)]
    [InlineData(1.9, true)]
    [InlineData(2.1, false)]
    public void A_cancelled_statement_was_too_expensive_only_at_its_time_limit(double passed, bool isTooExpensive)
    {
        var cancelled = new PostgresException("cancelled", "ERROR", "ERROR", PostgresErrorCodes.QueryCanceled);

        var shown = SearchPool.OfCancelled(cancelled, TimeSpan.FromSeconds(passed), TimeSpan.FromSeconds(1));

        (shown is SearchTooExpensiveException).ShouldBe(isTooExpensive);
        (shown is NpgsqlException).ShouldBe(!isTooExpensive);
    }

    private static SearchPool Pool(bool isPaced) =>
        new(NpgsqlDataSource.Create("Host=unused"), 1, new ReadingOptions { WaitSeconds = 60 }, isPaced);

    private static async Task<TimeSpan> TimeOfTwoAsync(SearchPool pool, TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        await Task.WhenAll(RunAsync(pool, time), RunAsync(pool, time));
        return Stopwatch.GetElapsedTime(began);
    }

    private static Task<int> RunAsync(SearchPool pool, TimeSpan time) => pool.RunAsync(
        async _ =>
        {
            await Task.Delay(time);
            return 0;
        },
        CancellationToken.None);
}
