using ApexShop.Commands.Api.Outbox;
using ApexShop.Messaging;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class PublisherTests : IAsyncLifetime
{
    private readonly string exchange = $"test.publisher.{Guid.NewGuid():N}";
    private LogDatabase database = null!;

    public async Task InitializeAsync() => database = await LogDatabase.CreateAsync();

    public async Task DisposeAsync() => await database.DisposeAsync();

    [Fact]
    public async Task A_consumer_of_one_resource_sees_all_its_events_in_order_and_no_hole()
    {
        await using var orders = await EventQueue.BindAsync(exchange, Resource.Orders.Name);
        await using var others = await EventQueue.BindAsync(exchange, "#");
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await Parallel.ForAsync(0, 10, async (part, _) =>
        {
            foreach (var resource in Resource.Names)
            {
                for (var row = 0; row < 10; row++) await database.WriteAsync(resource, part, row + 1);
            }
        });
        await database.FillAsync(Resource.Orders.Name, 1_500);

        await Eventually.Holds(() => Task.FromResult(orders.Distinct.Count() == 1_600), "every order event arrived");
        long last = 0;
        foreach (var entry in orders.Distinct)
        {
            entry.Resource.ShouldBe(Resource.Orders.Name);
            entry.Previous.ShouldBe(last);
            last = entry.Position;
        }
    }

    [Fact]
    public async Task A_message_is_one_event_when_the_shop_is_idle_and_five_hundred_under_load()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => queue.HasAsync(1), "the single event arrived");
        await database.FillAsync(Resource.Products.Name, 2_000);
        await Eventually.Holds(() => queue.HasAsync(2_001), "the bulk arrived");

        queue.Messages.First().Events.Count.ShouldBe(1);
        queue.Messages.Skip(1).Select(message => message.Events.Count).ShouldBe(Enumerable.Repeat(500, 4));
    }

    [Fact]
    public async Task A_message_is_a_bare_durable_batch_of_cloud_events_that_equals_the_log()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await database.WriteAsync(Resource.Reviews.Name, 5, 1);
        await Eventually.Holds(() => queue.HasAsync(1), "the event arrived");

        var (properties, routingKey, events) = queue.Messages.Single();
        properties.ContentType.ShouldBe(Topology.ContentType);
        properties.DeliveryMode.ShouldBe(DeliveryModes.Persistent);
        routingKey.ShouldBe(Resource.Reviews.Name);
        var row = (await database.RowsAsync(
            "SELECT event_id, time, data::text FROM shop.events",
            log => (Id: log.GetGuid(0), Time: log.GetFieldValue<DateTimeOffset>(1), Data: log.GetString(2)))).Single();
        (events[0].Id, events[0].Time).ShouldBe((row.Id, row.Time));
        System.Text.Encoding.UTF8.GetString(events[0].Data.Span).ShouldBe(row.Data);
    }

    [Fact]
    public async Task Events_wait_in_the_log_until_a_queue_is_bound()
    {
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await database.FillAsync(Resource.Products.Name, 250);
        await Eventually.Holds(
            () => Task.FromResult(process.Status.Broker == BrokerState.Unbound), "the broker gave the message back");
        (await database.PublishedAsync()).ShouldBe(0);

        await using var queue = await EventQueue.BindAsync(exchange, "#");

        await Eventually.Holds(() => database.IsPublishedAsync(250), "they are published once a queue is bound");
        await Eventually.Holds(() => queue.HasAsync(250), "they arrived");
        queue.Events.Select(entry => entry.Position).ShouldBe(Enumerable.Range(1, 250).Select(n => (long)n));
        process.WarningIds.ShouldBe([2003]);
    }

    [Fact]
    public async Task A_crash_between_confirm_and_cursor_repeats_messages_and_loses_none()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => database.IsPublishedAsync(1), "the leader is at work");
        await using (var blocker = await database.Writer.OpenConnectionAsync())
        {
            await using var transaction = await blocker.BeginTransactionAsync();
            await using var block =
                new NpgsqlCommand("SELECT 1 FROM shop.log_positions WHERE name = 'published' FOR UPDATE", blocker);
            await block.ExecuteNonQueryAsync();
            await database.WriteAsync(Resource.Users.Name, 1, 2);
            await Eventually.Holds(() => queue.HasAsync(2), "the message is confirmed");
            await Eventually.Holds(async () =>
                await database.TerminatePublisherAsync() == 1, "the publisher dies before its cursor moved");
        }

        await Eventually.Holds(() => database.IsPublishedAsync(2), "the next leader publishes it");
        await Eventually.Holds(
            () => Task.FromResult(queue.Events.Count(entry => entry.Position == 2) >= 2), "it arrived twice");
    }

    [Fact]
    public async Task While_the_broker_is_unavailable_changes_are_committed_and_sequenced_and_published_later()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var broker = new BrokerProxy();
        await using var process = await OutboxProcess.StartAsync(
            database, exchange, broker.Url, ("Outbox:ConfirmTimeout", "00:00:02"));
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => database.IsPublishedAsync(1), "the broker is reached");

        broker.Close();
        await database.FillAsync(Resource.Products.Name, 300);
        await Eventually.Holds(async () => await database.HeadAsync() == 301, "rows get their positions");
        await Eventually.Holds(
            () => Task.FromResult(process.Status.Broker == BrokerState.Unavailable), "the outage is noticed");
        (await database.PublishedAsync()).ShouldBe(1);

        broker.Open();
        await Eventually.Holds(() => database.IsPublishedAsync(301), "everything is published");
        await Eventually.Holds(() => queue.HasAsync(301), "everything arrived");
        queue.Events.Select(entry => entry.Position).Distinct().Count().ShouldBe(301);
        // A confirm that is late on a loaded machine is another outage.
        process.WarningIds.Distinct().ShouldBe([2002]);
    }

    [Fact]
    public async Task A_broker_that_confirms_more_slowly_after_an_outage_is_used_again()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var broker = new BrokerProxy();
        await using var process = await OutboxProcess.StartAsync(
            database, exchange, broker.Url,
            ("Outbox:ConfirmTimeout", "00:00:10"), ("Outbox:ProbeTimeout", "00:00:00.100"));
        await database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => database.IsPublishedAsync(1), "the broker is reached");
        broker.Close();
        await database.WriteAsync(Resource.Users.Name, 1, 2);
        await Eventually.Holds(
            () => Task.FromResult(process.Status.Broker == BrokerState.Unavailable), "the outage is noticed");

        broker.Delay = TimeSpan.FromMilliseconds(300);
        broker.Open();

        await Eventually.Holds(() => database.IsPublishedAsync(2), "the message has its confirm");
        await Eventually.Holds(
            () => Task.FromResult(process.Status.Broker == BrokerState.Reached), "the end of the outage is noticed");
    }
}
