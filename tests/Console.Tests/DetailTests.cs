using System.Text.Json;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>An event of the list can be opened with all its data.</summary>
[Collection(nameof(SharedShop))]
public sealed class DetailTests(LiveShop shop)
{
    [Fact]
    public async Task An_event_is_opened_with_its_data_and_closed_with_the_keyboard()
    {
        await using var visit = await shop.EnterAsync();
        var name = $"<b>Opened</b> {Guid.NewGuid():N}";
        var id = await shop.AddCategoryAsync(name);
        var button = visit.EventsOf($"categories/{id}").GetByRole(AriaRole.Button);
        await button.FocusAsync();
        await visit.PressAsync("Enter");

        var dialog = visit.Page.GetByRole(
            AriaRole.Dialog, new() { Name = $"category.created of categories/{id}" });
        await Expect(dialog).ToBeVisibleAsync();
        using var shown = JsonDocument.Parse(await dialog.Locator("pre").TextContentAsync() ?? "");
        shown.RootElement.GetProperty("subject").GetString().ShouldBe($"categories/{id}");
        shown.RootElement.GetProperty("data").GetProperty("name").GetString().ShouldBe(name);
        shown.RootElement.GetProperty("id").GetString().ShouldNotBeNullOrEmpty();

        await visit.PressAsync("Escape");
        await Expect(dialog).ToBeHiddenAsync();
        await Expect(button).ToBeFocusedAsync();
    }
}
