using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class IndependentConsumerTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Orders = 240;
    private const int Kills = 3;

    [Fact]
    public async Task A_plain_client_sees_every_order_event_in_order_while_the_commands_process_is_killed()
    {
        await State.ProjectedAsync();
        var before = await State.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'orders'");
        await using var tap = await EventTap.BindAsync(Shop, Resource.Orders.Name);
        var traffic = await Traffic.PrepareAsync(Shop, products: 10, users: 2, stock: 1_000_000);
        var pace = new Pace();
        var writers = traffic.WriteAsync(pace, Orders, writers: 4, static (client, random) => client.PlaceOrderAsync(random));
        for (var kill = 1; kill <= Kills; kill++)
        {
            pace.AllowUpTo(Orders / Kills * kill);
            await pace.DoneAsync((Orders / Kills * kill) - (Orders / Kills / 2));
            await Shop.Commands.KillAsync();
            Shop.Commands.Start();
        }

        await writers;
        await State.ProjectedAsync();

        var expected = await State.Database.RowsAsync("""
            SELECT position, event_id::text, type, resource || '/' || aggregate_id, version
            FROM shop.events WHERE resource = 'orders' AND position > $1 ORDER BY position
            """, before);
        expected.Count.ShouldBeGreaterThanOrEqualTo(Orders);
        await tap.ArrivesAsync(await State.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'orders'"));
        tap.WithoutRepeats(before)
            .Select(one => $"{one.Position} {one.Id} {one.Type} {one.Subject} {one.Version}")
            .ShouldBe(expected);
    }

    [Fact]
    public async Task Nothing_but_orders_reaches_a_queue_bound_to_orders()
    {
        await using var tap = await EventTap.BindAsync(Shop, Resource.Orders.Name);
        var traffic = await Traffic.PrepareAsync(Shop, products: 2, users: 1, stock: 100);
        await traffic.PlaceOrderAsync(new Random(1));

        await Eventually.Holds(() => tap.Arrived.Count > 0, "the order arrived");
        tap.Arrived.ShouldAllBe(one => one.Subject.StartsWith("orders/"));
    }
}
