using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Tests.Outbox;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

public sealed class DocumentLagTests : IAsyncLifetime
{
    private LogDatabase database = null!;

    public async Task InitializeAsync() => database = await LogDatabase.CreateAsync();

    public async Task DisposeAsync() => await database.DisposeAsync();

    [Fact]
    public async Task The_events_of_a_resource_are_counted_to_a_bound_and_all_of_them_by_their_positions()
    {
        const int products = ResourceLag.MaxCounted + 500;
        await database.ExecuteAsync(
            $$"""
            INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
            SELECT n, n - 1, gen_random_uuid(), 'apexshop.test.changed',
                CASE WHEN n > {{products}} THEN 'users' ELSE 'products' END, n, 1, now(), '{}'
            FROM generate_series(1, {{products}} + 3) AS n;
            UPDATE shop.log_positions SET position = {{products}} + 3 WHERE name = 'head'
            """);
        var log = new LogStatusReader(database.Writer, new OutboxStatus());

        var lag = (await log.LagAsync(
            new Dictionary<string, long> { ["products"] = 10, ["users"] = products + 1, ["orders"] = 0 },
            CancellationToken.None))!;

        lag.Resources["products"].Events.ShouldBe(ResourceLag.MaxCounted);
        lag.Resources["users"].Events.ShouldBe(2);
        lag.Resources["orders"].ShouldBe(new ResourceLag(0, 0));
        lag.Events.ShouldBe(products + 3 - 10);
    }
}
