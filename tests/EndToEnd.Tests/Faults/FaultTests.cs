using System.Globalization;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Faults;

public sealed class FaultTests(FaultRun run, ITestOutputHelper output) : ShopTests(run.Shop, output),
    IClassFixture<FaultRun>
{
    [Fact]
    public Task Documents_equal_tables() => State.DocumentsEqualTablesAsync();

    [Fact]
    public Task Positions_have_no_gaps_and_no_duplicates_and_all_events_are_published() => State.LogIsWholeAsync();

    [Fact]
    public Task The_last_event_of_every_aggregate_is_its_row() => State.LogEqualsTablesAsync();

    [Fact]
    public async Task Every_acknowledged_change_has_happened()
    {
        var last = await State.Database.RowsAsync(
            "SELECT resource, aggregate_id, max(version) FROM shop.events GROUP BY 1, 2");
        var versions = last.Select(row => row.Split(' '))
            .ToDictionary(row => (row[0], Int(row[1])), row => Int(row[2]));

        run.Traffic.Acknowledged.Count.ShouldBeGreaterThan(500);
        run.Traffic.Acknowledged
            .Where(change => versions.GetValueOrDefault(change.Key) < change.Value)
            .ShouldBeEmpty();
    }

    [Fact]
    public async Task A_plain_client_saw_every_order_event_in_order()
    {
        var expected = await State.Database.RowsAsync(
            "SELECT position FROM shop.events WHERE resource = 'orders' ORDER BY position");
        expected.Count.ShouldBeGreaterThan(200);
        await run.Tap.ArrivesAsync(long.Parse(expected[^1], CultureInfo.InvariantCulture));

        run.Tap.WithoutRepeats().Select(one => one.Position.ToString(CultureInfo.InvariantCulture)).ShouldBe(expected);
    }

    [Fact]
    public async Task Nothing_was_parked_or_dead_lettered() =>
        (await State.Database.RowsAsync("SELECT resource, aggregate_id, reason FROM read.parked_events"))
            .ShouldBeEmpty();

    [Fact]
    public void Readers_got_complete_responses_or_none()
    {
        run.Reader.Faulty.ShouldBeEmpty();
        run.Reader.Responses.ShouldBeGreaterThan(20);
        run.Reader.Refused.ShouldBeGreaterThan(0);
    }

    [Fact]
    public void The_faults_interrupted_requests() => run.Traffic.Retries.ShouldBeGreaterThan(0);

    private static int Int(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
