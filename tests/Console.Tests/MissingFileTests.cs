using ApexShop.Console.Tests.Admin;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>A page that did not get all of its files.</summary>
[Collection(nameof(SharedShop))]
public sealed class MissingFileTests(LiveShop shop)
{
    [Theory]
    [InlineData("/console", "console.js")]
    [InlineData("/console", "format.js")]
    [InlineData("/admin", "api.js")]
    [InlineData("/admin", "admin/fields.js")]
    public async Task A_page_that_lacks_one_of_its_scripts_asks_to_load_it_again(string address, string script)
    {
        await using var visit = await AdminVisit.OpenAsync(shop, address, key: null);
        visit.ExpectFailure();
        await Expect(visit.Page.Locator("#incomplete")).ToHaveCountAsync(0);
        await visit.Page.RouteAsync($"**/console/{script}", route => route.AbortAsync());
        await visit.Page.ReloadAsync();
        await Expect(visit.Page.GetByText("Load the page again.")).ToBeVisibleAsync();
    }
}
