using ApexShop.Events;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>A compacted log that is read in pages while it grows.</summary>
public sealed class CompactedEventsTests(LogShop shop) : IClassFixture<LogShop>
{
    [Fact]
    public async Task Pages_read_while_aggregates_change_contain_the_last_state_of_each()
    {
        await shop.FillAsync(1, 1_500, aggregates: 400);
        var known = new Dictionary<(string Resource, int Id), long>();
        var (after, written) = (0L, 1_500);
        while (true)
        {
            var piece = await shop.ReadAsync($"/events?compacted=true&after={after}&limit=70");
            piece.Positions.ShouldBe(piece.Positions.Order().Distinct());
            foreach (var entry in piece.Events) known[(entry.Resource, entry.AggregateId)] = entry.Position;
            if (piece.Events.Count < 70) break;

            after = piece.Positions[^1];
            // Aggregates of every page: those that were read already and those that were not.
            if (written < 2_400) await shop.FillAsync(written + 1, written += 90, aggregates: 400);
        }

        var last = (await shop.ReadAsync("/events")).Events.GroupBy(entry => (entry.Resource, entry.AggregateId))
            .ToDictionary(aggregate => aggregate.Key, aggregate => aggregate.Last().Position);
        written.ShouldBe(2_400);
        known.OrderBy(one => one.Value).ShouldBe(last.OrderBy(one => one.Value));
    }

    [Fact]
    public async Task An_empty_line_is_sent_while_only_superseded_events_are_examined()
    {
        await using var app = CommandsApp.Start(shop.App.Database.Commands, ("Events:Heartbeat", "00:00:00.010"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        var head = (await shop.ReadAsync("/events?limit=1")).Head;
        await shop.FillAsync(10_001, 40_000, aggregates: 1);

        var body = await http.GetStringAsync($"/events?compacted=true&after={head}");
        body.ShouldStartWith("\n");
        body.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(2, "one of an order, one of a product");
    }
}
