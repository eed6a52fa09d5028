using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The list of the customer's own orders.</summary>
public sealed class PurchaseTests(SellingShop shop) : IClassFixture<SellingShop>
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
}
