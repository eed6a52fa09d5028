using ApexShop.TestKit;
using ApexShop.TestKit.Comparison;
using RabbitMQ.Client;

namespace ApexShop.Client.Tests.Tutorials;

/// <summary>A shop as ./apexshop up leaves it: with the seed, the sample customer and the usual exchange.</summary>
public sealed class TutorialShop : IAsyncLifetime
{
    private const string Exchange = "apexshop.events";
    private const string Queue = "low-stock";

    private Shop? shop;
    private TestDatabase? database;

    public Shop Shop => shop!;

    /// <summary>The database of the reader of a page.</summary>
    public Database Own => new(database!.Superuser);

    public async Task InitializeAsync()
    {
        shop = await Shop.StartAsync(
            settings: new Dictionary<string, string> { ["Sessions__Key"] = TestKeys.Sessions });
        database = await TestDatabase.CreateAsync("tutorial", _ => Task.CompletedTask);
        using var seeded = await shop.Commands.Http.PostAsync("/admin/seed", null);
        (await seeded.Content.ReadAsStringAsync()).ShouldContain("\"kind\":\"total\"");
        using var client = new ShopClient(
            new() { Commands = shop.Commands.Url, Queries = shop.Queries.Url, Key = TestKeys.Everything });
        await client.Users.CreateAsync(new(ClientShop.Email, "Sam", "Sample", Password: ClientShop.Password));
        await new ShopState(shop).ProjectedAsync(TimeSpan.FromMinutes(2));
        await ChangeBrokerAsync(async channel =>
        {
            await channel.ExchangeDeclareAsync(Exchange, ExchangeType.Topic, durable: true);
            await channel.ExchangeBindAsync(Exchange, shop.Exchange, "#");
        });
    }

    public async Task DisposeAsync()
    {
        if (shop is null) return;
        await ChangeBrokerAsync(async channel =>
        {
            await channel.QueueDeleteAsync(Queue);
            await channel.ExchangeDeleteAsync(Exchange);
        });
        await shop.DisposeAsync();
        if (database is not null) await database.DisposeAsync();
    }

    /// <summary>What the first commands of the pages set.</summary>
    public Dictionary<string, string> Environment() => new()
    {
        ["SHOP"] = Repository.Root,
        ["COMMANDS_URL"] = Shop.Commands.Url.GetLeftPart(UriPartial.Authority),
        ["QUERIES_URL"] = Shop.Queries.Url.GetLeftPart(UriPartial.Authority),
        ["RABBITMQ_URL"] = Shop.Broker.ToString(),
        ["DATABASE"] = database!.Superuser,
        ["ADMIN_KEY"] = TestKeys.Everything,
        ["EVENTS_KEY"] = TestKeys.Events,
        ["CUSTOMER_EMAIL"] = ClientShop.Email,
        ["CUSTOMER_PASSWORD"] = ClientShop.Password,
        ["PORT"] = $"{Loopback.FreePort()}",
        // The compiler does not stay behind.
        ["UseSharedCompilation"] = "false",
        ["MSBUILDDISABLENODEREUSE"] = "1",
    };

    // The exchange of a test's shop has a name of its own.
    private async Task ChangeBrokerAsync(Func<IChannel, Task> change)
    {
        await using var connection = await new ConnectionFactory { Uri = Shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await change(channel);
    }
}
