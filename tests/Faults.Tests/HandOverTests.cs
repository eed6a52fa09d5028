using System.Net.Http.Json;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Faults.Tests;

public sealed class HandOverTests
{
    [Fact]
    public async Task A_leader_that_stops_hands_over_while_a_request_of_its_own_still_runs_and_answers_that()
    {
        await using var shop = await Shop.StartAsync(ShopServers.Shared, ("Stopping__DrainSeconds", "0"));
        var second = await shop.AddCommandsAsync();
        var client = new ShopClient(shop);
        var state = new ShopState(shop);
        var held = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Held"));
        await state.ProjectedAsync();

        Task<HttpResponseMessage> slow;
        await using (await HoldAsync(shop, held.Id))
        {
            slow = shop.Commands.Http.PutAsJsonAsync($"/categories/{held.Id}", Bodies.Category("Held no longer"));
            await Eventually.Holds(
                async () => await state.Database.ScalarAsync<long>("""
                    SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND usename = 'commands' AND wait_event_type = 'Lock'
                    """) > 0,
                "the request waits");
            await shop.Commands.TerminateAsync();

            await Eventually.Holds(() => second.Tail(400).Contains("This process leads", StringComparison.Ordinal), "the other leads", TimeSpan.FromSeconds(20));
            using var other = await second.Http.PostAsJsonAsync("/categories", Bodies.Category("From the other"));
            other.EnsureSuccessStatusCode();
            await state.ProjectedAsync();
            slow.IsCompleted.ShouldBeFalse();
        }

        using var answer = await slow;
        answer.IsSuccessStatusCode.ShouldBeTrue();
        answer.Headers.ConnectionClose.ShouldBe(true);
        (await shop.Commands.ExitAsync()).ShouldBe(0);
        await state.ProjectedAsync();
        await state.LogIsWholeAsync();
        await state.DocumentsEqualTablesAsync();
    }

    /// <summary>Nobody else changes the category until disposed.</summary>
    private static async Task<NpgsqlConnection> HoldAsync(Shop shop, int category)
    {
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(shop.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand($"BEGIN; SELECT id FROM shop.categories WHERE id = {category} FOR UPDATE", connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }
}
