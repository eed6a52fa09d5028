using ApexShop.Resources;
using RabbitMQ.Client;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class LostMessageTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    // Far below the interval in which the Projector polls the log.
    private static readonly TimeSpan soon = TimeSpan.FromSeconds(20);

    [Fact]
    public async Task A_lost_message_is_fetched_from_the_log_when_a_later_event_shows_the_hole()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Found again"));
        await State.ProjectedAsync();
        await using var connection = await new ConnectionFactory { Uri = Shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        // Another queue is bound, so that the broker takes the messages that the Projector misses.
        await using var tap = await EventRecorder.BindAsync(Shop, Resource.Products.Name);

        await channel.ExchangeBindAsync(Shop.ProjectorQueue, Shop.Exchange, Resource.Categories.Name);
        await channel.ExchangeUnbindAsync(Shop.ProjectorQueue, Shop.Exchange, "#");
        var missed = new List<Written>();
        foreach (var name in (string[])["Missed", "Missed too", "Missed as well"])
            missed.Add(await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, name)));
        await TestKit.Eventually.Holds(() => missed.TrueForAll(HasArrived), "the other queue received them");
        // With the last event of the log the Projector does not look for missing ones for 30 seconds.
        var last = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Arrives"));
        await TestKit.Eventually.Holds(
            async () => await Client.FindAsync(Resource.Categories.Name, last.Id) is not null, "a later event arrives");
        await channel.ExchangeBindAsync(Shop.ProjectorQueue, Shop.Exchange, "#");
        await channel.ExchangeUnbindAsync(Shop.ProjectorQueue, Shop.Exchange, Resource.Categories.Name);

        await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, "Seen"));

        await State.ProjectedAsync(soon);
        foreach (var product in missed) (await Client.FindAsync(Resource.Products.Name, product.Id)).ShouldNotBeNull();
        await State.DocumentsEqualTablesAsync();

        // A message whose confirm is late is published again.
        bool HasArrived(Written product) => tap.Arrived.Any(one => one.Subject == $"products/{product.Id}");
    }

    [Fact]
    public async Task Redelivered_messages_change_nothing()
    {
        var traffic = await Traffic.PrepareAsync(Shop, products: 5, users: 2, stock: 100);
        for (var i = 0; i < 20; i++) await traffic.AnythingAsync(new Random(i));
        await State.ProjectedAsync();
        var before = await DocumentsAsync();

        await Shop.Commands.KillAsync();
        await State.Database.RowsAsync("UPDATE shop.log_positions SET position = 0 WHERE name = 'published'");
        await Shop.Commands.StartAsync();
        // Is published after all repeats; no document that is compared contains it.
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Last in the queue"));
        await State.ProjectedAsync();

        (await DocumentsAsync()).ShouldBe(before);
    }

    private async Task<List<string>> DocumentsAsync() => await State.Database.RowsAsync("""
        SELECT 'products', id, version, revision, xmin::text FROM read.products
        UNION ALL SELECT 'orders', id, version, revision, xmin::text FROM read.orders
        UNION ALL SELECT 'users', id, version, revision, xmin::text FROM read.users
        ORDER BY 1, 2
        """);
}
