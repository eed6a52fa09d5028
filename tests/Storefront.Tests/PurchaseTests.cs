using System.Text.RegularExpressions;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The list of the customer's own orders.</summary>
public sealed partial class PurchaseTests(SellingShop shop) : IClassFixture<SellingShop>
{
    [Fact]
    public async Task A_sign_in_that_has_ended_leads_to_the_form()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.SignInAsync(buyer.Email);
        await visit.ChangeSignInAsync("{ token: 'customer_ended' }");
        await visit.GoAsync("/my-orders");
        await Expect(visit.Page.GetByText("Sign in to see your orders.")).ToBeVisibleAsync();
        await Expect(visit.Page.Locator("#purchases .feed .problem")).ToBeHiddenAsync();

        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");
    }

    [Fact]
    public async Task The_list_goes_on_after_the_documents_were_rebuilt()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Spotlight", stock: 30), await shop.AddBuyerAsync());
        await shop.AddOrdersAsync(buyer, ware, 21);
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        // As the shop refuses a cursor of an earlier epoch.
        await visit.Page.RouteAsync(SecondPage(), Visit.Once(route => route.FulfillAsync(new()
        {
            Status = 410,
            ContentType = "application/problem+json",
            Body = """{"status":410,"code":"cursor.expired"}""",
        })));
        await visit.SignInAsync(buyer.Email);
        await visit.Purchases.Nth(19).ScrollIntoViewIfNeededAsync();

        await Expect(visit.Purchases).ToHaveCountAsync(21);
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("21 orders");
    }

    [GeneratedRegex(@"/orders/cursor\?.*\bafter=")]
    private static partial Regex SecondPage();
}
