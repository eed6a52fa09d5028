using ApexShop.Browser;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

[Collection(nameof(SharedShop))]
public sealed class AccessibilityTests(LiveShop shop)
{
    [Theory]
    [InlineData(1280)]
    [InlineData(360)]
    public async Task Every_view_passes_the_checks_in_light_and_dark(int width)
    {
        await using var visit = await shop.OpenAsync(width);
        await visit.ShouldBeAccessibleAsync("the entry");
        await visit.RouteStatusAsync(status =>
        {
            status["projection"]!["lagSeconds"] = 42;
            status["cache"]!["state"] = "unavailable";
        });
        await visit.EnterAsync();
        var id = await shop.AddCategoryAsync($"Checked {Guid.NewGuid():N}");
        await shop.PublishAsync("products", "no batch");
        await Expect(visit.EventsOf($"categories/{id}")).ToHaveCountAsync(1);
        var letter = visit.Page.Locator("#letters .repair");
        await Expect(letter).ToHaveCountAsync(1);
        await visit.ShouldBeAccessibleAsync("the dashboard");

        await visit.EventsOf($"categories/{id}").GetByRole(AriaRole.Button).ClickAsync();
        await visit.ShouldBeAccessibleAsync("the detail of an event");
        await visit.PressAsync("Escape");
        await letter.GetByRole(AriaRole.Button, new() { Name = "Discard", Exact = true }).ClickAsync();
        await visit.ShouldBeAccessibleAsync("a question");
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Discard it" }).ClickAsync();
        await Expect(letter).ToHaveCountAsync(0);
    }
}
