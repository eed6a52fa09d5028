using ApexShop.Commands.Api.Events;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>A log of 2,500 events with 2 MB, of which the limit allows half.</summary>
public sealed class LogCompactionBytesTests : LogShop
{
    private const int Head = 2_500;

    private static readonly (string, string) limit = ("Events:KeepBytes", "1000000");

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await FillAsync(1, Head, bytes: 600);
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '3 days'");
        await ExecuteAsync("UPDATE shop.log_positions SET position = 2500 WHERE name = 'published'");
    }

    [Theory]
    [InlineData("0")]
    [InlineData("30")]
    public async Task The_oldest_events_are_compacted_until_the_others_are_small_enough(string days)
    {
        (await RunAsync(limit, ("Events:KeepDays", days))).ShouldBeGreaterThan(1_000);

        // The first thousand leave more than a megabyte, the second less.
        (await App.ScalarAsync<long>("SELECT position FROM shop.log_compaction")).ShouldBe(2_000);
        (await ReadAsync("/events?after=2000")).Positions.Count.ShouldBe(Head - 2_000);
        (await RunAsync(limit, ("Events:KeepDays", days))).ShouldBe(0);
    }

    [Fact]
    public async Task Events_that_are_old_are_removed_below_the_limit_too()
    {
        await RunAsync(("Events:KeepBytes", "1000000000"), ("Events:KeepDays", "2"));

        (await App.ScalarAsync<long>("SELECT position FROM shop.log_compaction")).ShouldBe(Head);
    }

    [Fact]
    public async Task The_events_of_a_day_stay_however_large_they_are()
    {
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '23 hours' WHERE position > 300");

        await RunAsync(limit);

        (await ReadAsync("/events?after=300")).Positions.Count.ShouldBe(Head - 300);
    }

    [Fact]
    public async Task Without_a_limit_nothing_is_removed()
    {
        (await RunAsync(("Events:KeepBytes", "0"))).ShouldBe(0);
        (await RunAsync(("Events:KeepBytes", "1000000000"))).ShouldBe(0);
    }

    [Theory]
    [InlineData("999999")]
    [InlineData("-1")]
    public void A_limit_below_a_megabyte_stops_the_start(string bytes) =>
        StartupFailure.MessageOf(() =>
        {
            using var process = CommandsApp.Start(App.Database.Commands, ("Events:KeepBytes", bytes));
            process.StartServer();
        }).ShouldContain("KeepBytes");

    private async Task<long> RunAsync(params (string, string)[] settings)
    {
        await using var process = CommandsApp.Start(App.Database.Commands, settings);
        return await process.Services.GetRequiredService<LogCompaction>().RunAsync(CancellationToken.None);
    }
}
