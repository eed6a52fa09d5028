using System.Diagnostics;
using ApexShop.Queries.Api.Reading;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>The places of searches, without a database: the reads only wait.</summary>
public sealed class SearchPoolTests
{
    private static readonly TimeSpan read = TimeSpan.FromMilliseconds(40);
    private static readonly TimeSpan longRead = TimeSpan.FromMilliseconds(400);

    // A timer may be a little early.
    private static readonly TimeSpan tolerance = TimeSpan.FromMilliseconds(10);

    [Fact]
    public async Task After_a_read_a_paced_place_is_free_when_as_much_time_is_over_again()
    {
        await using var pool = Pool(isPaced: true);
        (await TimeOfTwoAsync(pool, read)).ShouldBeGreaterThan((3 * read) - tolerance);
    }

    [Fact]
    public async Task A_response_does_not_wait_for_the_pause_after_its_read()
    {
        await using var pool = Pool(isPaced: true);
        var first = RunAsync(pool, longRead);
        var second = RunAsync(pool, TimeSpan.Zero);
        await first;
        second.IsCompleted.ShouldBeFalse();
        await second;
    }

    [Fact]
    public async Task A_failed_read_releases_its_place_too()
    {
        await using var pool = Pool(isPaced: true);
        await Should.ThrowAsync<InvalidOperationException>(
            () => pool.RunAsync<int>(_ => throw new InvalidOperationException(), CancellationToken.None));
        await RunAsync(pool, TimeSpan.Zero);
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
