using ApexShop.Commands.Api.Outbox;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class OutboxGaugesTests : IAsyncLifetime
{
    private readonly string exchange = $"test.gauges.{Guid.NewGuid():N}";
    private LogDatabase database = null!;

    public async Task InitializeAsync() => database = await LogDatabase.CreateAsync();

    public async Task DisposeAsync() => await database.DisposeAsync();

    [Fact]
    public async Task A_sample_has_number_and_age_of_the_waiting_events()
    {
        for (var id = 1; id <= 3; id++) await database.WriteAsync(Resource.Orders.Name, id, 1);
        await using (var command = database.Writer.CreateCommand("SELECT pg_sleep(0.05)"))
            await command.ExecuteNonQueryAsync();

        var sample = await OutboxSample.TakeAsync(database.Writer, CancellationToken.None);
        (sample.Pending, sample.Head, sample.Published, sample.UnpublishedAge).ShouldBe((3, 0, 0, 0));
        sample.Replicas.ShouldBe(0);
        sample.PendingAge.ShouldBeInRange(0.05, 60);
        sample.Positions.Keys.Order().ShouldBe(Resource.Names.Order());
    }

    [Fact]
    public async Task A_sample_counts_the_servers_that_copy_the_database()
    {
        await using var primary = await PrivatePostgres.StartAsync();
        await using var copied = await LogDatabase.CreateAsync(primary.Superuser);
        await using var replica = await primary.FollowAsync();

        await Eventually.Holds(
            async () => (await OutboxSample.TakeAsync(copied.Writer, CancellationToken.None)).Replicas == 1,
            "the replica follows");
    }

    [Fact]
    public async Task A_sample_counts_a_bounded_number_of_waiting_events()
    {
        await using (var command = database.Writer.CreateCommand(
            $$"""
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
            SELECT 'apexshop.product.updated', 'products', 1, 1, '{}'
            FROM generate_series(1, {{OutboxSample.MaxCounted + 5}})
            """))
            await command.ExecuteNonQueryAsync();

        var sample = await OutboxSample.TakeAsync(database.Writer, CancellationToken.None);

        sample.Pending.ShouldBe(OutboxSample.MaxCounted);
    }

    [Fact]
    public async Task While_the_broker_is_unavailable_gauges_show_unpublished_events_and_their_age()
    {
        await using var queue = await EventQueue.BindAsync(exchange, "#");
        await using var broker = new BrokerProxy();
        broker.Close();
        await using var process = await OutboxProcess.StartAsync(
            database, exchange, broker.Url, ("Outbox:ConfirmTimeout", "00:00:02"));
        using var metered = new MeterReader(process.Meters);
        for (var id = 1; id <= 3; id++) await database.WriteAsync(Resource.Orders.Name, id, 1);

        await Eventually.Holds(
            () =>
            {
                var page = metered.Read();
                return page.Value("apexshop_log_unpublished") == 3
                    && page.Value("apexshop_log_unpublished_age_seconds") > 0
                    && page.Value("apexshop_broker_up") == 0
                    && page.Value("apexshop_outbox_leader") == 1
                    && page.Value("apexshop_log_position", "resource", Resource.Orders.Name) == 3;
            },
            "the gauges show that the broker is unavailable");

        broker.Open();
        await Eventually.Holds(
            () =>
            {
                var page = metered.Read();
                return page.Value("apexshop_log_unpublished") == 0
                    && page.Value("apexshop_log_unpublished_age_seconds") == 0
                    && page.Value("apexshop_broker_up") == 1
                    && page.Value("apexshop_events_published_total", "resource", Resource.Orders.Name) == 3;
            },
            "the gauges show that it is back",
            TimeSpan.FromSeconds(60));
    }
}
