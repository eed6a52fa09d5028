namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>Which pages of a public resource are stored in Redis.</summary>
public sealed class SharedPagesTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory]
    [InlineData("products/cursor?pageSize=9")]
    [InlineData("products/cursor?categoryId=4")]
    public async Task A_page_after_a_cursor_is_stored_when_it_is_read_again(string path)
    {
        await shop.Http.GetStringAsync(path);
        (await IsStoredAsync(path)).ShouldBeFalse();

        await shop.Tags.RaiseAsync(shop.App, "products", "categories:4:products");
        var read = await shop.Http.GetStringAsync(path);
        (await IsStoredAsync(path)).ShouldBeTrue();
        (await shop.Http.GetStringAsync(path)).ShouldBe(read);
    }

    [Theory]
    [InlineData("products/v2?pageSize=9")]
    [InlineData("products/cursor?q=common")]
    [InlineData("products/cursor?inStock=true&sort=price")]
    public async Task A_page_that_takes_longer_is_stored_when_it_is_read(string path)
    {
        await shop.Http.GetStringAsync(path);
        (await IsStoredAsync(path)).ShouldBeTrue();
    }

    private async Task<bool> IsStoredAsync(string path) =>
        (await shop.Tags.AllAsync()).Keys.Any(key => key.EndsWith($":{path}", StringComparison.Ordinal));
}
