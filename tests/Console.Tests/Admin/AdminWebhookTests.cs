using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Browser;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Webhooks in the admin: made, watched, and repaired.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminWebhookTests(LiveShop shop)
{
    private const string Hostile = "<img src=x onerror='window.hit = 1'>";

    [Fact]
    public async Task A_webhook_is_created_tested_changed_and_deleted()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=webhooks");
        await visit.Link("New webhook").ClickAsync();
        visit.ExpectFailure();
        await visit.Page.GetByLabel("Address").FillAsync("https://10.0.0.1/");
        await visit.Button("Create").ClickAsync();
        await Expect(visit.ListOutcome).ToContainTextAsync("url: The host is neither public");

        await visit.Page.GetByLabel("Address").FillAsync(receiver.Url + "/hook");
        await visit.Page.GetByLabel("Description").FillAsync($"Warehouse {Hostile}");
        await visit.Page.GetByLabel("Types of events").FillAsync("apexshop.category.created apexshop.category.updated");
        await visit.Button("Create").ClickAsync();
        var secret = await visit.Page.Locator(".secret").TextContentAsync();
        await Expect(visit.Heading).ToBeFocusedAsync();
        await visit.Button("Open the webhook").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync($"Warehouse {Hostile}");
        await Expect(visit.Page.GetByText("Everything was delivered.")).ToBeVisibleAsync();
        await visit.Button("Send a test").PressAsync("Enter");
        await Expect(visit.ListOutcome).ToHaveTextAsync("The receiver accepted the test.");
        await Expect(visit.Button("Send a test")).ToBeFocusedAsync();
        receiver.Received.ShouldHaveSingleItem().IsSignedWith(secret!).ShouldBeTrue();

        await visit.Button("New secret").ClickAsync();
        await visit.Button("Make it").ClickAsync();
        await Expect(visit.ListOutcome)
            .ToHaveTextAsync("There is a new secret. Enter it at the receiver.");
        await Expect(visit.Heading).ToBeFocusedAsync();
        await Expect(visit.Page.Locator(".secret")).Not.ToHaveTextAsync(secret!);
        await visit.Page.GetByLabel("Description").FillAsync("Stock");
        await visit.Button("Save").PressAsync("Enter");
        await Expect(visit.ListOutcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Page.Locator(".secret")).ToHaveCountAsync(1);
        await Expect(visit.Heading).ToHaveTextAsync("Stock");
        await Expect(visit.Heading).ToBeFocusedAsync();
        await visit.Link("Webhooks").First.ClickAsync();
        await Expect(visit.Row("Stock")).ToContainTextAsync("Delivering");
        await visit.Link("Stock").ClickAsync();
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Webhooks");
        await Expect(visit.Link("Stock")).ToHaveCountAsync(0);
        (await visit.Page.EvaluateAsync<bool>("() => 'hit' in window")).ShouldBeFalse();
    }

    [Theory]
    [InlineData(1280)]
    [InlineData(320)]
    public async Task Events_that_were_not_delivered_are_shown_tried_again_and_discarded(int width)
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        receiver.Respond = _ => Task.FromResult(422);
        var id = await HookAsync(receiver.Url, $"Refusing {width}");
        var (first, second) = (await NewCategoryAsync(), await NewCategoryAsync());
        // The page reads them once.
        await Eventually.Holds(
            async () => (await shop.Shop.Commands.Http.GetStringAsync($"/admin/webhooks/{id}/undelivered"))
                .Split("Response 422.").Length == 3,
            "both refusals are stored");
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=webhooks", width);
        await visit.Link($"Refusing {width}").ClickAsync();
        await Expect(visit.Row($"categories/{first} created")).ToContainTextAsync("Response 422.");
        await visit.ShouldBeAccessibleAsync("a webhook");
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(width);

        var description = visit.Page.GetByLabel("Description");
        await description.FillAsync("Not saved yet");
        await visit.Row($"categories/{first} created").GetByText("Discard").PressAsync("Enter");
        await visit.Dialog.GetByText("Discard", new() { Exact = true }).PressAsync("Enter");
        await Expect(visit.Row($"categories/{first} created")).ToHaveCountAsync(0);
        await Expect(visit.Heading).ToBeFocusedAsync();
        receiver.Respond = _ => Task.FromResult(200);
        await visit.Button("Try all again").PressAsync("Enter");
        await Expect(visit.Heading).ToBeFocusedAsync();
        await Expect(description).ToHaveValueAsync("Not saved yet");
        await Eventually.Holds(() => receiver.Accepted.Count == 1, "the other one is delivered");
        receiver.Received[^1].Subject.ShouldBe($"categories/{second}");
        await visit.Link("Webhooks").First.ClickAsync();
        await visit.ShouldBeAccessibleAsync("the webhooks");
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(width);
        using var deleted = await shop.Shop.Commands.Http.DeleteAsync($"/admin/webhooks/{id}");
    }

    [Fact]
    public async Task An_event_that_is_due_is_not_shown_as_waiting_and_can_be_tried_again()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        receiver.Respond = _ => Task.FromResult(422);
        var id = await HookAsync(receiver.Url, "Slow after a refusal");
        var category = await NewCategoryAsync();
        // The page reads it once.
        await Eventually.Holds(
            async () => (await shop.Shop.Commands.Http.GetStringAsync($"/admin/webhooks/{id}/undelivered"))
                .Contains("Response 422.", StringComparison.Ordinal),
            "the refusal is stored");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=webhooks&id={id}");
        var row = visit.Row($"categories/{category} created");
        await Expect(row).ToContainTextAsync("Response 422.");

        var response = new TaskCompletionSource<int>();
        receiver.Respond = _ => response.Task;
        await row.GetByText("Try again").ClickAsync();
        await Expect(row).ToContainTextAsync("Is due.");
        await Expect(row.GetByText("Try again")).ToBeVisibleAsync();
        response.SetResult(200);
        await Eventually.Holds(() => receiver.Accepted.Count == 1, "the event is delivered");
        using var deleted = await shop.Shop.Commands.Http.DeleteAsync($"/admin/webhooks/{id}");
    }

    [Fact]
    public async Task A_late_response_does_not_replace_what_a_later_one_shows()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        var id = await HookAsync(receiver.Url, "Turned off meanwhile");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=webhooks&id={id}");
        var state = visit.Page.Locator(".panel .figure");
        await Expect(state).ToHaveTextAsync("Delivering");
        await visit.RemoveTimeLimitsAsync();
        var (read, shown) = (new TaskCompletionSource(), new TaskCompletionSource());
        await visit.Page.RouteAsync($"**/admin/webhooks/{id}", AdminVisit.Once(async route =>
        {
            var response = await route.FetchAsync();
            read.SetResult();
            await shown.Task;
            await route.FulfillAsync(new() { Response = response });
        }));
        await visit.Button("New secret").ClickAsync();
        await visit.Button("Make it").ClickAsync();
        await read.Task;
        await visit.Page.GetByLabel("Send events").UncheckAsync();
        await visit.Button("Save").ClickAsync();
        await Expect(state).ToHaveTextAsync("Off");

        shown.SetResult();
        await Expect(visit.ListOutcome).ToHaveTextAsync("There is a new secret. Enter it at the receiver.");
        await Expect(state).ToHaveTextAsync("Off");
        using var deleted = await shop.Shop.Commands.Http.DeleteAsync($"/admin/webhooks/{id}");
    }

    private async Task<int> HookAsync(string url, string description)
    {
        using var created = await shop.Shop.Commands.Http.PostAsJsonAsync(
            "/admin/webhooks", new { url, description, types = new[] { "apexshop.category.created" } });
        created.EnsureSuccessStatusCode();
        return (await created.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("id").GetInt32();
    }

    private async Task<int> NewCategoryAsync() =>
        (await shop.Client().CreateAsync("categories", Bodies.Category(AdminShop.NewName("Sent")))).Id;
}
