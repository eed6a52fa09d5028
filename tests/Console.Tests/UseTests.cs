using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>Small screens, dark mode, keyboard and screen readers.</summary>
[Collection(nameof(SharedShop))]
public sealed class UseTests(LiveShop shop)
{
    [Fact]
    public async Task A_narrow_screen_needs_no_horizontal_scrolling()
    {
        await using var visit = await shop.OpenAsync(width: 360, height: 740);
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(360);
        await visit.EnterAsync();
        await shop.AddCategoryAsync($"Wide {new string('W', 150)}");
        await Expect(visit.Events).Not.ToHaveCountAsync(0);
        await Expect(visit.Page.Locator("#resources tbody tr")).ToHaveCountAsync(5);
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(360);
    }

    [Fact]
    public async Task The_page_follows_the_dark_mode_of_the_system()
    {
        await using var visit = await shop.OpenAsync();
        const string Paper = "() => getComputedStyle(document.documentElement).backgroundColor";
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.Light });
        (await visit.Page.EvaluateAsync<string>(Paper)).ShouldBe("rgb(247, 246, 243)");
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.Dark });
        (await visit.Page.EvaluateAsync<string>(Paper)).ShouldBe("rgb(20, 22, 21)");
    }

    [Fact]
    public async Task The_page_can_be_used_with_the_keyboard_only()
    {
        await using var visit = await shop.OpenAsync();
        await Expect(visit.KeyField).ToBeFocusedAsync();
        await visit.PressAsync("Shift+Tab");
        (await visit.FocusAsync()).ShouldBe("Shop");
        await visit.PressAsync("Shift+Tab");
        (await visit.FocusAsync()).ShouldBe("Skip to the pipeline");
        await visit.EnterAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Main)).ToBeFocusedAsync();
        (await visit.Page.EvaluateAsync<double>("() => scrollY")).ShouldBe(0);
        await visit.PressAsync("Tab");
        await Expect(visit.Page.GetByRole(AriaRole.Group, new() { Name = "Table by resource" })).ToBeFocusedAsync();
        foreach (var name in (string[])["Rebuild all documents", "Audit", "Audit and repair"])
        {
            await visit.PressAsync("Tab");
            (await visit.FocusAsync()).ShouldBe(name);
        }

        var hold = visit.Page.GetByRole(AriaRole.Button, new() { Name = "Pause" });
        await visit.PressAsync("Tab", "Space");
        await Expect(hold).ToHaveAttributeAsync("aria-pressed", "true");
        await visit.PressAsync("Tab");
        await Expect(visit.Page.Locator("#events .tall")).ToBeFocusedAsync();
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove the key" }).FocusAsync();
        await visit.PressAsync("Enter");
        await Expect(visit.KeyField).ToBeFocusedAsync();
    }

    [Fact]
    public async Task Every_part_has_an_accessible_name()
    {
        await using var visit = await shop.EnterAsync();
        foreach (var role in (AriaRole[])[AriaRole.Banner, AriaRole.Main])
            await Expect(visit.Page.GetByRole(role)).ToHaveCountAsync(1);
        await Expect(visit.Page.GetByRole(AriaRole.Heading, new() { Level = 1 })).ToHaveTextAsync("The pipeline");
        foreach (var section in await visit.Page.Locator("section:visible, svg[role=img]").AllAsync())
            await Expect(section).Not.ToHaveAccessibleNameAsync("");
        foreach (var button in await visit.Page.Locator("button:visible").AllAsync())
            await Expect(button).Not.ToHaveAccessibleNameAsync("");
    }
}
