namespace ApexShop.Client.Tests;

/// <summary>A condition that has no version is an error, and not a change without a condition.</summary>
[Collection(ClientShop.Suite)]
public sealed class ExpectedVersionTests(ClientShop running)
{
    [Fact]
    public async Task Without_an_ETag_nothing_is_sent()
    {
        using var client = running.Open();
        var (category, products) = await running.StockAsync(client);
        string missing = null!;

        Should.Throw<ArgumentNullException>(() => { ExpectedVersion converted = missing; });
        Should.Throw<ArgumentNullException>(() => ExpectedVersion.FromString(missing));
        await Should.ThrowAsync<ArgumentNullException>(
            async () => await client.Products.PatchAsync(products[0], new() { ["name"] = "Lantern" }, missing));
        await Should.ThrowAsync<InvalidOperationException>(
            async () => await client.Products.ReplaceAsync(
                products[0], new("Lantern", 5, category), default(ExpectedVersion)));
        await Should.ThrowAsync<InvalidOperationException>(
            () => client.Products.DeleteAsync(products[0], default(ExpectedVersion)));
        (await Should.ThrowAsync<ShopProblemException>(
            () => client.Products.PatchAsync(products[0], new() { ["name"] = "Lantern" }, ""))).Status.ShouldBe(412);

        (await client.Products.GetAsync(products[0])).Version.ShouldBe(1);
        await client.Products.PatchAsync(products[0], new() { ["name"] = "Lantern" }, ifMatch: null);
        (await client.Products.GetAsync(products[0])).Version.ShouldBe(2);
    }
}
