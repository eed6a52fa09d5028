using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>The time limits of attempts are those of the shop.</summary>
[Collection(ClientShop.Suite)]
public sealed partial class TimeLimitTests(ClientShop running) : IAsyncLifetime
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(0.5);

    private FaultProxy commands = null!;
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        client = running.Open();
    }

    public async Task DisposeAsync()
    {
        client.Dispose();
        await commands.DisposeAsync();
    }

    [Fact]
    public async Task The_commands_that_the_shop_allows_more_time_have_the_longer_one()
    {
        var (category, products) = await running.StockAsync(client);
        var user = (await client.Users.CreateAsync(new("long@example.com", "Ada", "L", Password: "right horse"))).Id;
        using var impatient = Open(options => options with { Timeout = limit });
        Func<Task>[] longCommands =
        [
            () => impatient.Users.CreateManyAsync([new("longer@example.com", "Ada", "L", Password: "right horse")]),
            () => impatient.Users.ReplaceManyAsync([new(user, "long@example.com", "Ada", "Lovelace")]),
            () => impatient.Users.EraseAsync(user),
            () => impatient.Users.DeactivateInactiveAsync(36_500),
            () => impatient.Reviews.DeleteOldAsync(products[0], 36_500),
            () => impatient.Orders.DeleteOldAsync(36_500),
            () => impatient.Products.SetStockOfCategoryAsync(category, 5),
            () => impatient.Products.ChangeStockOfCategoryAsync(category, 1),
        ];
        foreach (var send in longCommands)
        {
            commands.Delay(limit * 2);
            await send();
        }

        commands.Seen.Select(one => $"{one.Method} {Id().Replace(one.Path.Split('?')[0], "{id}")}").Distinct().Count()
            .ShouldBe(LongCommandsOfTheShop());
        commands.Delay(limit * 2);
        await Should.ThrowAsync<TimeoutException>(() => impatient.Products.SetStockAsync(products[0], 1));
    }

    [Fact]
    public async Task The_longer_one_ends_too()
    {
        using var impatient = Open(options => options with { LongTimeout = limit });
        commands.Ignore();

        var late = await Should.ThrowAsync<TimeoutException>(() => impatient.Orders.DeleteOldAsync(36_500));

        late.Message.ShouldContain("00:00:00.5000000 (LongTimeout)");
    }

    // The client has none of the requests that a Projector executes.
    private static int LongCommandsOfTheShop() => Directory
        .EnumerateFiles(Path.Combine(Repository.Root, "src", "Commands.Api"), "*.cs", SearchOption.AllDirectories)
        .Where(file => Path.GetFileName(file) != "ProjectorRoutes.cs")
        .Count(file => File.ReadAllText(file)
            .Contains("WithRequestTimeout(RequestTimeLimits.Long)", StringComparison.Ordinal));

    [GeneratedRegex("[0-9]+")]
    private static partial Regex Id();

    private ShopClient Open(Func<ShopClientOptions, ShopClientOptions> change) =>
        new(change(running.Options(commands) with { Retries = 0 }));
}
