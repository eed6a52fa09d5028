using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>What must hold when the faults are over and every event has found its way.</summary>
internal static class Convergence
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(90);

    public static async Task HoldsAsync(ClusteredShop cluster, LogFollower follower, EventTap tap)
    {
        var state = cluster.State;
        await state.ProjectedAsync(limit);
        await state.LogIsWholeAsync();
        await state.LogEqualsTablesAsync();
        await state.DocumentsEqualTablesAsync();
        (await state.Database.RowsAsync("SELECT resource, aggregate_id, reason FROM read.parked_events")).ShouldBeEmpty();

        var head = await state.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'");
        await follower.ReachesAsync(head);
        follower.Seen.Select((position, index) => position - index).Distinct().ShouldBe([1], "each position was seen once, in order");
        await QueueIsWholeAsync(state, tap);
        await AnswersAreFreshAsync(cluster);
    }

    private static async Task QueueIsWholeAsync(ShopState state, EventTap tap)
    {
        var expected = await state.Database.RowsAsync("SELECT position FROM shop.events WHERE resource = 'orders' ORDER BY position");
        await tap.ArrivesAsync(long.Parse(expected[^1], CultureInfo.InvariantCulture));
        tap.WithoutRepeats().Select(one => one.Position.ToString(CultureInfo.InvariantCulture)).ShouldBe(expected);
    }

    /// <summary>Whatever the caches kept: every document and the first pages of every process are what the database has.</summary>
    private static async Task AnswersAreFreshAsync(ClusteredShop cluster)
    {
        var rows = await cluster.State.Database.RowsAsync(
            "SELECT id, convert_from(body, 'UTF8') FROM read.products WHERE NOT is_deleted ORDER BY id");
        var stored = rows.Select(row => row.Split(' ', 2)).ToDictionary(row => row[0], row => row[1]);
        foreach (var process in cluster.Queries)
        {
            foreach (var (id, body) in stored)
            {
                (await process.Http.GetStringAsync($"/{Resource.Products.Name}/{id}")).ShouldBe(body, $"{process.Name}: product {id}");
            }

            var page = await process.Http.GetByteArrayAsync("/products/cursor?pageSize=100");
            var shown = JsonNode.Parse(Encoding.UTF8.GetString(page))!["data"]!.AsArray().Select(document => document!.ToJsonString());
            shown.ShouldBe(stored.Values.Take(100).Select(body => JsonNode.Parse(body)!.ToJsonString()), $"{process.Name}: first page");
        }
    }
}
