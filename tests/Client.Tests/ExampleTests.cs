using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>Further things that docs/clients.md shows; the page quotes them.</summary>
[Collection(ClientShop.Suite)]
public sealed class ExampleTests(ClientShop running) : IDisposable
{
    private readonly ShopClient shop = running.Open();

    public void Dispose() => shop.Dispose();

    [Fact]
    public async Task A_document_that_was_changed_meanwhile_is_not_overwritten()
    {
        var id = (await running.StockAsync(shop)).Products[0];
        var seen = await shop.Products.GetAsync(id);
        await shop.Products.SetStockAsync(id, 3);
        var isRefused = false;
        try
        {
            await shop.Products.PatchAsync(id, new() { ["price"] = 4.25m }, ifMatch: seen.Version);
        }
        catch (ShopProblemException refused) when (refused.Code == "version.mismatch")
        {
            isRefused = true;
            seen = await shop.Products.GetAsync(id);
        }

        isRefused.ShouldBeTrue();
        seen.Version.ShouldBe(2);
    }

    [Fact]
    public async Task A_command_can_be_continued_by_another_process_with_its_key()
    {
        var product = (await running.StockAsync(shop)).Products[0];
        var order = new OrderInput(running.Customer, "1 Main Street", [new(product, 1)]);
        var key = Guid.NewGuid().ToString();
        var first = await shop.Orders.CreateAsync(order, idempotencyKey: key);
        using var restarted = running.Open();
        (await restarted.Orders.CreateAsync(order, idempotencyKey: key)).ShouldBe(first);
    }

    [Fact]
    public void Every_example_of_the_page_is_in_a_test_or_a_sample()
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "clients.md"));
        string[] folders = ["samples/client-dotnet", "samples/client-node", "tests/Client.Tests"];
        var sources = folders.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder)))
            .Where(file => Path.GetExtension(file) is ".cs" or ".js")
            .Select(file => Flat(File.ReadAllText(file))).ToList();
        var blocks = page.Split("```").Where((_, index) => index % 2 == 1)
            .Select(block => block.Split('\n', 2)).Where(block => block[0] is "csharp" or "js").ToList();
        blocks.Count.ShouldBeGreaterThan(4);
        blocks.Select(block => block[1])
            .Where(example => !sources.Exists(source => source.Contains(Flat(example), StringComparison.Ordinal)))
            .ShouldBeEmpty();
    }

    private static string Flat(string text) => string.Join(
        '\n', text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0));
}
