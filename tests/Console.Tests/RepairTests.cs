using System.Net;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>Parked aggregates and dead letters, and the buttons that repair them.</summary>
[Collection(nameof(SharedShop))]
public sealed class RepairTests(LiveShop shop) : IAsyncLifetime
{
    private const string Refusal = "<b onclick=x>refused</b>";

    private int parked;

    public Task InitializeAsync() => Task.CompletedTask;

    // What a test that failed has left: other tests count what is parked.
    public async Task DisposeAsync()
    {
        await AllowAsync();
        using var discarded = await shop.Shop.Commands.Http.DeleteAsync($"/admin/parked/categories/{parked}");
    }

    [Fact]
    public async Task A_parked_aggregate_is_previewed_first_and_then_replayed()
    {
        await using var visit = await shop.EnterAsync();
        var id = await ParkAsync("<i>Tried</i>");
        var item = Parked(visit, id);
        await Expect(item.Locator(".reason")).ToContainTextAsync(Refusal);
        await Expect(visit.Figure("parked")).ToHaveTextAsync("1");
        await Button(item, "Replay").ClickAsync();
        await Expect(item.Locator(".outcome")).ToContainTextAsync($"Would apply nothing: new row for relation");
        await Expect(Button(item, "Try again")).ToBeFocusedAsync();

        await AllowAsync();
        await Button(item, "Try again").ClickAsync();
        await Expect(item.Locator(".outcome")).ToHaveTextAsync("Would apply 1 event: version none to 1.");
        (await shop.CategoryAsync(id)).ShouldBe(HttpStatusCode.NotFound);
        await visit.PressAsync("Enter");
        await Expect(item).ToHaveCountAsync(0);
        await Expect(visit.Page.Locator("#parked .status"))
            .ToHaveTextAsync($"categories/{id}: 1 event applied. Nothing is parked.");
        await Expect(visit.Page.Locator("#parked-title")).ToBeFocusedAsync();
        await Expect(visit.Figure("parked")).ToHaveTextAsync("0");
        await Eventually.Holds(async () => await shop.CategoryAsync(id) == HttpStatusCode.OK, "the document is there");
        (await visit.Page.Locator("#parked b, #parked i").CountAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task A_parked_aggregate_is_healed_from_the_log()
    {
        await using var visit = await shop.EnterAsync();
        var id = await ParkAsync("Healed");
        var item = Parked(visit, id);
        await Button(item, "Heal from the log").ClickAsync();
        await Expect(item.Locator(".outcome")).ToContainTextAsync("Not healed: new row for relation");

        await AllowAsync();
        await Button(item, "Heal from the log").ClickAsync();
        await Expect(item).ToHaveCountAsync(0);
        await Expect(visit.Page.Locator("#parked .status"))
            .ToContainTextAsync($"categories/{id}: Written again from the log at version 1.");
        await Eventually.Holds(async () => await shop.CategoryAsync(id) == HttpStatusCode.OK, "the document is there");
    }

    [Fact]
    public async Task Parked_events_are_discarded_only_after_confirmation()
    {
        await using var visit = await shop.EnterAsync();
        var id = await ParkAsync("Discarded");
        var item = Parked(visit, id);
        var dialog = visit.Page.GetByRole(AriaRole.Dialog, new() { Name = $"Discard categories/{id}?" });
        await Button(item, "Discard").ClickAsync();
        await Expect(dialog).ToContainTextAsync("1 parked event");
        await Expect(Button(dialog, "Keep it")).ToBeFocusedAsync();
        await visit.PressAsync("Escape");
        await Expect(dialog).ToBeHiddenAsync();
        await Expect(item).ToBeVisibleAsync();

        await Button(item, "Discard").ClickAsync();
        await Button(dialog, "Keep it").ClickAsync();
        await Expect(item.Locator(".outcome")).ToHaveTextAsync("");
        await Button(item, "Discard").ClickAsync();
        await Button(dialog, "Discard it").ClickAsync();
        await Expect(item).ToHaveCountAsync(0);
        await AllowAsync();
        (await shop.CategoryAsync(id)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task A_message_that_cannot_be_read_is_shown_previewed_and_discarded()
    {
        await using var visit = await shop.EnterAsync();
        await Expect(visit.Figure("letters")).ToHaveTextAsync("0");
        await shop.PublishAsync("products", "<b onclick=x>no batch</b>");
        var item = visit.Page.Locator("#letters .repair");
        await Expect(item.Locator(".facts")).ToContainTextAsync("<b onclick=x>no batch</b>");
        await Expect(visit.Figure("letters")).ToHaveTextAsync("1");
        await Button(item, "Replay").ClickAsync();
        await Expect(item.Locator(".outcome")).ToContainTextAsync("Still cannot be read");

        await Button(item, "Discard").ClickAsync();
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Discard it" }).ClickAsync();
        await Expect(item).ToHaveCountAsync(0);
        await Expect(visit.Page.Locator("#letters .status")).ToContainTextAsync("There are none.");
        await Expect(visit.Figure("letters")).ToHaveTextAsync("0");
    }

    private static ILocator Parked(Visit visit, int id) =>
        visit.Page.Locator(
            "#parked .repair", new() { Has = visit.Page.GetByText($"categories/{id}", new() { Exact = true }) });

    private static ILocator Button(ILocator place, string name) =>
        place.GetByRole(AriaRole.Button, new() { Name = name, Exact = true });

    private Task AllowAsync() =>
        shop.SqlAsync($"""ALTER TABLE read.categories DROP CONSTRAINT IF EXISTS "{Refusal}" """);

    // A check constraint of the read table refuses the name, so that its event is parked.
    private async Task<int> ParkAsync(string name)
    {
        await shop.SqlAsync($"""ALTER TABLE read.categories ADD CONSTRAINT "{Refusal}" CHECK (name <> '{name}')""");
        return parked = await shop.AddCategoryAsync(name);
    }
}
