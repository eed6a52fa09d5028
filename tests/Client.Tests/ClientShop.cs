using ApexShop.TestKit;
using ApexShop.TestKit.Packages;

namespace ApexShop.Client.Tests;

/// <summary>The one shop of this suite, with a category of products and a customer.</summary>
public sealed class ClientShop : IAsyncLifetime
{
    public const string Suite = "the shop of the clients";
    public const string Email = "buyer@example.com";
    public const string Password = "correct horse battery staple";

    private Shop? shop;
    private int made;

    public Shop Shop => shop!;

    public int Customer { get; private set; }

    public async Task InitializeAsync()
    {
        shop = await Shop.StartAsync(
            settings: new Dictionary<string, string> { ["Sessions__Key"] = TestKeys.Sessions });
        using var client = Open();
        Customer = (await client.Users.CreateAsync(new(Email, "Grace", "Hopper", Password: Password))).Id;
    }

    public async Task DisposeAsync()
    {
        if (shop is not null) await shop.DisposeAsync();
    }

    public ShopClient Open(FaultProxy? commands = null, FaultProxy? queries = null, TimeProvider? clock = null) =>
        new(Options(commands, queries) with { Clock = clock ?? TimeProvider.System });

    public ShopClientOptions Options(FaultProxy? commands = null, FaultProxy? queries = null) => new()
    {
        Commands = commands?.Url ?? Shop.Commands.Url,
        Queries = queries?.Url ?? Shop.Queries.Url,
        Key = TestKeys.Everything,
        RetryDelay = TimeSpan.FromMilliseconds(10),
    };

    /// <summary>A category of its own with so many products; their prices are 1, 2, 3 and so on.</summary>
    public async Task<(int Category, IReadOnlyList<int> Products)> StockAsync(
        ShopClient client, int count = 1, string word = "Lamp")
    {
        var category = await client.Categories.CreateAsync(new($"Category {Interlocked.Increment(ref made)}"));
        var inputs = Enumerable.Range(1, count).Select(number =>
            new ProductInput($"{word} {number}", number, 100, category.Id, "Made of \u6728 and \"glass\""));
        return (category.Id, (await client.Products.CreateManyAsync([.. inputs])).Ids);
    }

    /// <summary>What the programs of another runtime need.</summary>
    public Dictionary<string, string> Environment(FaultProxy? commands = null, FaultProxy? queries = null) => new()
    {
        ["COMMANDS_URL"] = (commands?.Url ?? Shop.Commands.Url).ToString(),
        ["QUERIES_URL"] = (queries?.Url ?? Shop.Queries.Url).ToString(),
        ["SHOP_KEY"] = TestKeys.Everything,
        ["CUSTOMER_EMAIL"] = Email,
        ["CUSTOMER_PASSWORD"] = Password,
    };
}

/// <summary>The npm package with the programs of this suite.</summary>
public sealed class ClientNodePackage()
    : NodePackage("samples/client-node/shop.js", "tests/Client.Tests/Node/checks.js");

/// <summary>All tests of this suite use the same shop and the same installed package.</summary>
[CollectionDefinition(ClientShop.Suite)]
public sealed class ClientShopCollection : ICollectionFixture<ClientShop>, ICollectionFixture<ClientNodePackage>;
