using System.Net.Http.Json;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Stock movements, the steps of an order, changes of selected rows, and the history.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminActionTests(LiveShop shop)
{
    [Fact]
    public async Task Stock_is_moved_by_an_amount_or_set()
    {
        var (_, ids) = await shop.AddProductsAsync("Stocked");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        var (stock, amount) = (visit.Page.Locator("#stock"), visit.Page.GetByLabel("Amount"));
        await Expect(stock).ToHaveTextAsync("100 in stock");
        await amount.FillAsync("-30");
        await visit.Button("Move stock").ClickAsync();
        await Expect(stock).ToHaveTextAsync("70 in stock");
        await visit.Page.GetByLabel("Movement").SelectOptionAsync("stock");
        await amount.FillAsync("12");
        await visit.Button("Move stock").ClickAsync();
        await Expect(stock).ToHaveTextAsync("12 in stock");

        visit.ExpectFailure();
        await amount.FillAsync("-13");
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Page.Locator(".panel .outcome[data-state=alarm]")).ToContainTextAsync("negative");
        await Expect(stock).ToHaveTextAsync("12 in stock");
    }

    [Fact]
    public async Task A_movement_whose_response_was_lost_counts_once()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved once");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        visit.ExpectFailure();
        var attempts = 0;
        await visit.Page.RouteAsync("**/stock", async route =>
        {
            if (++attempts == 2)
            {
                // The first attempt is still running.
                const string Problem = """{"status":409,"code":"idempotency.in_progress","detail":"Still running."}""";
                await route.FulfillAsync(
                    new() { Status = 409, ContentType = "application/problem+json", Body = Problem });
                return;
            }

            var response = await route.FetchAsync();
            if (attempts > 2) await route.FulfillAsync(new() { Response = response });
            else await route.AbortAsync();
        });
        await visit.MoveStockAsync("-30");
        await Expect(visit.Page.GetByText("Commands.Api is unavailable.")).ToBeVisibleAsync();
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Page.GetByText("Still running.")).ToBeVisibleAsync();
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("70 in stock");
    }

    [Fact]
    public async Task A_movement_whose_response_was_lost_is_reported_when_another_amount_is_sent()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved and corrected");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("100 in stock");
        await LoseMovementAsync(visit, "20");

        // While the product cannot be read, the key stays: the movement would count in addition to the first one.
        var document = new Uri(shop.Shop.Queries.Url, $"products/{ids[0]}").ToString();
        await visit.Page.RouteAsync(document, route => route.AbortAsync());
        await visit.MoveStockAsync("25");
        await Expect(visit.Page.GetByText("Queries.Api is unavailable.")).ToBeVisibleAsync();
        await visit.Page.UnrouteAsync(document);
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("An earlier attempt was executed, this one was not.");
        await Expect(visit.Outcome).ToHaveAttributeAsync("data-state", "alarm");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("120 in stock");
        await Expect(visit.Page.GetByLabel("Amount")).ToHaveValueAsync("");

        await visit.MoveStockAsync("5");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("125 in stock");
    }

    [Fact]
    public async Task A_movement_whose_response_was_lost_counts_once_although_a_proxy_refused_it_meanwhile()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved behind a proxy");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        foreach (var (status, code) in ((int, string)[])[(422, "422"), (409, "\"Conflict\"")])
        {
            await visit.Page.RouteAsync(
                "**/stock", AdminVisit.Once(route => AdminVisit.RefuseAsProxyAsync(route, status, code)));
        }

        await visit.Page.RouteAsync("**/stock", AdminVisit.Once(AdminVisit.RefuseAsProxyAsync));
        // The latest route is used first.
        await LoseMovementAsync(visit, "20");

        foreach (var status in (int[])[404, 409, 422])
        {
            await visit.Button("Move stock").ClickAsync();
            await Expect(visit.Page.GetByText($"Commands.Api responded with {status}.")).ToBeVisibleAsync();
        }

        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done.");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("120 in stock");
    }

    [Fact]
    public async Task A_movement_whose_response_is_lost_after_the_form_was_saved_counts_once()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved and saved");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        visit.ExpectFailure();
        var saved = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/stock", AdminVisit.Once(async route =>
        {
            await saved.Task;
            (await route.FetchAsync()).Ok.ShouldBeTrue();
            await route.AbortAsync();
        }));
        await visit.Field("name").FillAsync("Moved and renamed");
        await visit.MoveStockAsync("20");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        saved.SetResult();
        await Expect(visit.Page.GetByText("Commands.Api is unavailable.")).ToBeVisibleAsync();

        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done.");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("120 in stock");
        await Expect(visit.Page.GetByText("Commands.Api is unavailable.")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task A_movement_that_was_refused_without_a_response_does_not_hinder_the_corrected_one()
    {
        var (_, ids) = await shop.AddProductsAsync("Refused and corrected");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("100 in stock");
        await LoseMovementAsync(visit, "-130", status: 409);

        await visit.MoveStockAsync("-30");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("70 in stock");
        await Expect(visit.Outcome).ToHaveTextAsync("Done.");
    }

    [Fact]
    public async Task A_movement_whose_response_was_lost_counts_once_although_an_invalid_one_was_sent_after_it()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved and mistyped");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await LoseMovementAsync(visit, "20");

        await visit.Page.GetByLabel("Amount").FillAsync("20,0");
        var refused = await visit.Page.RunAndWaitForResponseAsync(
            () => visit.Button("Move stock").ClickAsync(), "**/stock");
        refused.Status.ShouldBe(400);
        await visit.MoveStockAsync("20");
        await Expect(visit.Outcome).ToHaveTextAsync("Done.");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("120 in stock");
    }

    [Fact]
    public async Task A_movement_whose_response_was_lost_long_ago_is_not_sent_again_without_a_question()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved long ago");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await LoseMovementAsync(visit, "20");

        var later = TimeProvider.System.GetUtcNow().UtcDateTime.AddMinutes(31);
        await visit.Page.Clock.SetFixedTimeAsync(later);
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Page.Locator(".panel .outcome[data-state=alarm]"))
            .ToContainTextAsync("It is not known whether an earlier attempt was executed");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("100 in stock");
        await visit.Button("Move stock").ClickAsync();
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("140 in stock");
    }

    [Fact]
    public async Task An_order_takes_its_steps()
    {
        var (_, ids) = await shop.AddProductsAsync("Ordered");
        var user = await shop.AddAsync("users", Bodies.User($"{Guid.NewGuid():N}@example.com"));
        var order = await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 2)));
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=orders&id={order}");
        var status = visit.Page.Locator("#status");
        foreach (var step in (string[])["Processing", "Shipped"])
        {
            await visit.Button($"Set to {step}").ClickAsync();
            await Expect(status).ToHaveTextAsync(step);
        }

        await Expect(visit.Button("Cancel")).ToHaveCountAsync(0);
        await Expect(visit.Link("Ordered")).ToHaveCountAsync(1);
        var second = await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 1)));
        await visit.GoAsync($"/admin?view=orders&id={second}");
        await visit.Button("Cancel").ClickAsync();
        await visit.Button("Cancel it").ClickAsync();
        await Expect(status).ToHaveTextAsync("Cancelled");
        await shop.Client().SeesAsync("products", ids[0], one => (int)one["stock"]! == 98);
    }

    [Fact]
    public async Task What_was_typed_into_the_form_stays_when_an_order_takes_its_steps()
    {
        var order = await shop.AddOrderAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=orders&id={order}");
        var tracking = visit.Field("trackingNumber");
        await tracking.FillAsync("T-1");
        foreach (var step in (string[])["Processing", "Shipped"])
        {
            await visit.Button($"Set to {step}").ClickAsync();
            await Expect(visit.Page.Locator("#status")).ToHaveTextAsync(step);
            await Expect(tracking).ToHaveValueAsync("T-1");
        }

        // The form is of an earlier version, but the steps changed nothing that it has.
        visit.ExpectFailure();
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await shop.Client().SeesAsync("orders", order, one => (string?)one["trackingNumber"] == "T-1");
    }

    [Fact]
    public async Task A_product_whose_form_was_not_saved_is_deleted_after_its_stock_was_moved()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved and deleted");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Field("name").FillAsync("Never saved");
        await visit.MoveStockAsync("-30");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("70 in stock");
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Products");
    }

    [Fact]
    public async Task Selected_rows_are_changed_together()
    {
        var (category, ids) = await shop.AddProductsAsync("One", "Two", "Three");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        foreach (var (member, value, text) in ((string, string, string)[])
            [("price", "3.75", "$3.75"), ("stock", "98765", "98765"), ("isActive", "false", "No")])
        {
            await visit.Page.GetByLabel("Select One").CheckAsync();
            await visit.Page.GetByLabel("Select Three").CheckAsync();
            await visit.Page.GetByLabel("Member").SelectOptionAsync(member);
            var control = visit.Page.GetByLabel("New value");
            if (member == "isActive") await control.SelectOptionAsync(value);
            else await control.FillAsync(value);
            await visit.Button("Change them").PressAsync("Enter");
            await Expect(visit.ListOutcome).ToHaveTextAsync("2 rows were changed.");
            await Expect(visit.Heading).ToBeFocusedAsync();
            await Expect(visit.Page.GetByRole(AriaRole.Cell, new() { Name = text, Exact = true }))
                .ToHaveCountAsync(2);
        }

        (await shop.Client().FindAsync("products", ids[1]))!["version"]!.GetValue<long>().ShouldBe(1);
        // However many categories other tests have made, this one is first.
        var before = Uri.EscapeDataString($"{category - 1}");
        await visit.GoAsync($"/admin?view=categories&afterId={before}");
        var name = (string?)(await shop.Client().FindAsync("categories", category))!["name"];
        await visit.Page.GetByLabel($"Select {name}", new() { Exact = true }).CheckAsync();
        await visit.Page.GetByLabel("New value").SelectOptionAsync("false");
        await visit.Button("Change them").ClickAsync();
        await shop.Client().SeesAsync("categories", category, one => !(bool)one["isActive"]!);
    }

    [Fact]
    public async Task A_row_that_has_changed_since_is_named_and_nothing_is_overwritten()
    {
        var (category, ids) = await shop.AddProductsAsync("Quiet", "Busy");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await visit.Page.GetByLabel("Select all").CheckAsync();
        using var changed = await shop.Shop.Commands.Http.PatchAsJsonAsync($"/products/{ids[1]}", new { price = 8m });
        changed.EnsureSuccessStatusCode();
        await shop.Client().SeesAsync("products", ids[1], one => (decimal)one["price"]! == 8m);
        visit.ExpectFailure();
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await Expect(visit.ListOutcome).ToContainTextAsync("Busy version");
        await Expect(visit.Row("$8.00")).ToHaveCountAsync(1);
        await Expect(visit.Row("$2.00")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task A_change_of_rows_that_fails_is_reported_when_the_table_shows_others_meanwhile()
    {
        var (category, _) = await shop.AddProductsAsync("Left", "Right");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        visit.ExpectFailure();
        var sorted = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/products/bulk", async route =>
        {
            await sorted.Task;
            await route.AbortAsync();
        });
        await visit.Page.GetByLabel("Select Left").CheckAsync();
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await visit.Page.GetByLabel("Order").SelectOptionAsync("newest");
        await Expect(visit.Rows.First).ToContainTextAsync("Right");
        sorted.SetResult();
        await Expect(visit.ListOutcome).ToHaveTextAsync("Commands.Api is unavailable.");
    }

    [Fact]
    public async Task A_change_of_rows_is_reported_when_the_table_shows_others_before_it_was_read_again()
    {
        var (category, _) = await shop.AddProductsAsync("Upper", "Lower");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await visit.Page.GetByLabel("Select all").CheckAsync();
        await visit.RemoveTimeLimitsAsync();
        // The table is read again, and the response does not arrive.
        var read = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/products/cursor?*", AdminVisit.Once(_ =>
        {
            read.SetResult();
            return Task.CompletedTask;
        }));
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await read.Task;
        await visit.Page.GetByLabel("Order").SelectOptionAsync("newest");
        await Expect(visit.Rows.First).ToContainTextAsync("Lower");
        await Expect(visit.ListOutcome).ToHaveTextAsync("2 rows were changed.");
        await Expect(visit.ListOutcome).ToHaveAttributeAsync("data-state", "ok");
    }

    [Fact]
    public async Task Rows_that_were_changed_are_counted_when_a_part_of_them_was_refused()
    {
        var (category, ids) = await shop.AddProductsAsync("First", "Second", "Third");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await visit.Page.GetByLabel("Select all").CheckAsync();
        await visit.Page.RouteAsync("**/products/bulk", route => route.FulfillAsync(new()
        {
            ContentType = "application/x-ndjson",
            Body = $$$"""
                {"chunk":0,"first":0,"count":1,"items":[{"id":{{{ids[0]}}},"version":1}]}
                {"chunk":1,"first":1,"count":2,"problem":{"code":"product.unknown","detail":"Refused."}}
                {"done":true,"updated":1,"failed":2}

                """,
        }));
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await Expect(visit.ListOutcome)
            .ToHaveTextAsync("1 of 3 rows were changed. Not changed: \"Second\" to \"Third\". Refused.");
        await Expect(visit.ListOutcome).ToHaveAttributeAsync("data-state", "alarm");
    }

    [Fact]
    public async Task The_history_shows_what_was_changed_when_and_by_whom()
    {
        var (_, ids) = await shop.AddProductsAsync("Old name");
        using var changed = await shop.Shop.Commands.Http.PatchAsJsonAsync(
            $"/products/{ids[0]}", new { name = "New name" });
        changed.EnsureSuccessStatusCode();
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Button("Show the history").ClickAsync();
        var entries = visit.Page.GetByRole(AriaRole.List, new() { Name = "Changes, the latest first" })
            .Locator("> li");
        await Expect(entries).ToHaveCountAsync(2);
        await Expect(entries.First).ToContainTextAsync("updated");
        await Expect(entries.First).ToContainTextAsync("by everything");
        await Expect(entries.First.Locator("ul > li")).ToHaveTextAsync(["name: Old name \u2192 New name"]);
        await Expect(entries.First.Locator("time")).Not.ToHaveTextAsync("");
        await Expect(entries.Last).ToContainTextAsync("stock: 100");
    }

    [Fact]
    public async Task A_history_whose_beginning_was_removed_says_so_and_calls_no_value_a_change()
    {
        var (_, ids) = await shop.AddProductsAsync("First name");
        foreach (var name in (string[])["Second name", "Third name"])
        {
            using var changed = await shop.Shop.Commands.Http.PatchAsJsonAsync($"/products/{ids[0]}", new { name });
            changed.EnsureSuccessStatusCode();
        }

        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Page.RouteAsync("**/events?aggregate=**", async route =>
        {
            var response = await route.FetchAsync();
            var lines = (await response.TextAsync()).Split('\n');
            await route.FulfillAsync(new() { Response = response, Body = string.Join('\n', lines[1..]) });
        });
        await visit.Button("Show the history").ClickAsync();
        var entries = visit.Page.Locator(".history > li");
        await Expect(entries).ToHaveCountAsync(3);
        await Expect(entries.Nth(0).Locator("ul > li")).ToHaveTextAsync(["name: Second name \u2192 Third name"]);
        await Expect(entries.Nth(1)).ToContainTextAsync("updated");
        await Expect(entries.Nth(1).Locator("ul > li")).ToHaveCountAsync(0);
        await Expect(entries.Nth(2)).ToHaveTextAsync("Earlier changes are no longer in the log.");
    }

    // The movement is executed, or refused with a status, and its response does not arrive.
    private static async Task LoseMovementAsync(AdminVisit visit, string amount, int? status = null)
    {
        visit.ExpectFailure();
        await visit.LoseResponseAsync("**/stock", status);
        await visit.MoveStockAsync(amount);
        await Expect(visit.Page.GetByText("Commands.Api is unavailable.")).ToBeVisibleAsync();
    }
}
