using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Two people change the same product.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminConflictTests(LiveShop shop)
{
    [Fact]
    public async Task Both_values_are_shown_side_by_side_and_each_can_be_chosen()
    {
        var (_, ids) = await shop.AddProductsAsync("First");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Field("name").FillAsync("Mine");
        await visit.Field("price").FillAsync("5.50");
        await ChangeAsync(ids[0], "", new { name = "Theirs", description = "Their words", price = 7.25m });
        visit.ExpectFailure();
        await visit.Button("Save").ClickAsync();

        var conflict = visit.Page.GetByRole(AriaRole.Region, new() { Name = "Values to choose" });
        var name = conflict.GetByRole(AriaRole.Group, new() { Name = "Name" });
        await Expect(name.GetByLabel("Yours")).ToBeCheckedAsync();
        await Expect(name).ToContainTextAsync("Mine");
        await Expect(name).ToContainTextAsync("Theirs");
        await Expect(conflict.GetByRole(AriaRole.Group)).ToHaveCountAsync(3);
        var description = conflict.GetByRole(AriaRole.Group, new() { Name = "Description" });
        await Expect(description.GetByLabel("Stored now")).ToBeCheckedAsync();

        await conflict.GetByRole(AriaRole.Group, new() { Name = "Price" }).GetByLabel("Stored now").CheckAsync();
        await visit.Button("Save again").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(conflict).ToHaveCountAsync(0);
        await Expect(visit.Field("description")).ToHaveValueAsync("Their words");
        var stored = await shop.Client().FindAsync("products", ids[0]);
        ((string?)stored!["name"], (decimal)stored["price"]!).ShouldBe(("Mine", 7.25m));
    }

    [Fact]
    public async Task What_is_edited_while_the_values_are_chosen_is_saved_too()
    {
        var (_, ids) = await shop.AddProductsAsync("First");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Field("name").FillAsync("Mine");
        await ChangeAsync(ids[0], "", new { name = "Theirs", description = "Their words" });
        visit.ExpectFailure();
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Page.GetByLabel("Stored now")).ToHaveCountAsync(2);
        await visit.Field("name").FillAsync("Mine, corrected");
        await visit.Field("price").FillAsync("5.50");
        await visit.Field("description").FillAsync("My words");
        await visit.Button("Save again").ClickAsync();

        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await shop.Client().SeesAsync("products", ids[0], one =>
            ((string?)one["name"], (decimal)one["price"]!, (string?)one["description"])
                == ("Mine, corrected", 5.50m, "My words"));
    }

    [Fact]
    public async Task A_step_of_an_order_that_was_changed_meanwhile_is_not_taken_and_can_be_taken_then()
    {
        var order = await shop.AddOrderAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=orders&id={order}");
        await Expect(visit.Button("Set to Processing")).ToBeVisibleAsync();
        var step = new { status = "Processing" };
        using (var taken = await shop.Shop.Commands.Http.PatchAsJsonAsync($"/orders/{order}", step))
            taken.EnsureSuccessStatusCode();
        await shop.Client().SeesAsync("orders", order, one => (string?)one["status"] == "Processing");
        visit.ExpectFailure();
        await visit.Button("Set to Processing").ClickAsync();

        await Expect(visit.Outcome).ToContainTextAsync("It was changed meanwhile, so nothing was done.");
        await Expect(visit.Page.Locator("#status")).ToHaveTextAsync("Processing");
        await visit.Button("Set to Shipped").ClickAsync();
        await Expect(visit.Page.Locator("#status")).ToHaveTextAsync("Shipped");
    }

    [Fact]
    public async Task A_row_that_was_changed_meanwhile_is_shown_before_it_can_be_deleted()
    {
        var (_, ids) = await shop.AddProductsAsync("First");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Heading).ToHaveTextAsync("First");
        await ChangeAsync(ids[0], "", new { name = "Theirs" });
        visit.ExpectFailure();
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("It was changed meanwhile, so nothing was done.");
        await Expect(visit.Heading).ToHaveTextAsync("Theirs");

        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Products");
    }

    [Fact]
    public async Task The_stored_values_can_all_be_kept()
    {
        var (_, ids) = await shop.AddProductsAsync("First");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Field("name").FillAsync("Mine");
        await ChangeAsync(ids[0], "", new { name = "Theirs" });
        visit.ExpectFailure();
        await visit.Button("Save").ClickAsync();
        await visit.Page.GetByLabel("Stored now").CheckAsync();
        await visit.Button("Save again").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("The stored values were kept.");
        await Expect(visit.Field("name")).ToHaveValueAsync("Theirs");
    }

    [Fact]
    public async Task A_change_of_something_else_is_no_conflict()
    {
        var (_, ids) = await shop.AddProductsAsync("Sold meanwhile");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await RenameWhileSoldAsync(visit, ids[0]);
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("97 in stock");
    }

    [Fact]
    public async Task Stored_values_that_the_controls_show_in_another_form_are_no_conflict()
    {
        var (_, ids) = await shop.AddProductsAsync("Sold meanwhile");
        await ChangeAsync(ids[0], "", new
        {
            description = "One\rtwo ", images = new[] { new { url = "/a.svg", alt = "", width = 80, height = 60 } },
        });
        await shop.Client().SeesAsync("products", ids[0], one => one["images"]!.AsArray().Count == 1);
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await RenameWhileSoldAsync(visit, ids[0]);
    }

    // The name is changed on the page, and saved without a question although three were sold since it was read.
    private async Task RenameWhileSoldAsync(AdminVisit visit, int id)
    {
        await visit.Field("name").FillAsync("Renamed");
        await ChangeAsync(id, "/stock", new { delta = -3 });
        visit.ExpectFailure();
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await shop.Client().SeesAsync("products", id, one => (string?)one["name"] == "Renamed");
    }

    private async Task ChangeAsync(int id, string path, object body)
    {
        using var answer = await shop.Shop.Commands.Http.PatchAsJsonAsync($"/products/{id}{path}", body);
        var text = await answer.Content.ReadAsStringAsync();
        answer.IsSuccessStatusCode.ShouldBeTrue(text);
        // The page waits for a change of others for some seconds only.
        var version = (long)JsonNode.Parse(text)!["version"]!;
        await shop.Client().SeesAsync("products", id, one => (long)one["version"]! >= version);
    }
}
