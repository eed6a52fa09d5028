using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>One of two Commands.Api has a wrong password for the broker.</summary>
public sealed class WrongBrokerTests
{
    // The leader offers the lead after ten seconds without a confirm.
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task The_process_that_reaches_the_broker_publishes_whichever_leads_first()
    {
        await using var shop = await Shop.StartAsync(ShopServers.Shared);
        var state = new ShopState(shop);
        var wrong = new UriBuilder(shop.Broker) { Password = "wrong" }.Uri;
        var term = await state.LeaderTermAsync();
        await shop.Commands.KillAsync();
        shop.Commands.Set("Messaging__Url", wrong.ToString());
        await shop.Commands.StartAsync();
        await Eventually.Holds(async () => await state.LeaderTermAsync() > term, "it leads");
        var right = await shop.AddCommandsAsync();

        await shop.Commands.CreateAsync(Resource.Categories.Name, 5, Bodies.Category("Through the leader"));
        await state.ProjectedAsync(limit);

        // It leads again only while there is no other process.
        await right.KillAsync();
        await shop.Commands.CreateAsync(Resource.Categories.Name, 5, Bodies.Category("Without the other"));
        await Eventually.Holds(
            async () => await state.Database.ScalarAsync<long>("SELECT count(*) FROM shop.outbox") == 0,
            "they have positions", limit);
        await right.StartAsync();
        await state.ProjectedAsync(limit);
        await state.LogIsWholeAsync();
        await state.DocumentsEqualTablesAsync();
    }
}
