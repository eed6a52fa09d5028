using ApexShop.TestKit.Packages;

namespace ApexShop.Client.Tests;

/// <summary>The sample is built with the package from a folder.</summary>
[Collection(ClientShop.Suite)]
public sealed class DotNetPackageTests(ClientShop running) : IDisposable
{
    private readonly Programs programs = new();

    public void Dispose() => programs.Dispose();

    [Fact]
    public async Task The_sample_orders_once_with_the_package_although_the_response_is_cut_off()
    {
        programs.Copy("samples", "client-dotnet", "Program.cs");
        var sample = await programs.BuildAsync("Client", "ApexShop.Client");
        using var client = running.Open();
        var (_, products) = await running.StockAsync(client, 2, "Candlestick");
        await client.Products.GetAsync(products[^1]);
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        // The sign-in is refused once, and the response to the order is cut off.
        commands.Refuse(429, "0");
        commands.Pass();
        commands.Cut();

        var output = await programs.RunAsync(
            running.Environment(commands, queries), "dotnet", sample, "candlestick");

        output.ShouldContain("Candlestick 2: 2.00 USD, 100 in stock");
        output.ShouldContain("of Grace Hopper: Pending, 3.00 USD");
        output.ShouldContain("1 x Candlestick 1: 1.00");
        commands.Seen.Select(one => one.Path).ShouldBe(["/sessions", "/sessions", "/orders", "/orders"]);
        foreach (var product in products) (await client.Products.GetAsync(product)).Stock.ShouldBe(99);
    }
}
