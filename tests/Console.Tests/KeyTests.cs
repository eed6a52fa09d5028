using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

[Collection(nameof(SharedShop))]
public sealed class KeyTests(LiveShop shop)
{
    [Theory]
    [InlineData("no-such-key", "This key is not valid.")]
    [InlineData("schl\u00FCssel \u2603", "This key is not valid.")]
    [InlineData(TestKeys.Events, "This key may not read the pipeline (scope admin).")]
    public async Task A_wrong_key_is_reported_and_another_can_be_entered(string key, string words)
    {
        await using var visit = await shop.OpenAsync();
        visit.ExpectFailure();
        await Expect(visit.KeyField).ToBeFocusedAsync();
        await visit.KeyField.FillAsync(key);
        await visit.KeyField.PressAsync("Enter");
        await Expect(visit.KeyProblem).ToHaveTextAsync(words);
        await Expect(visit.KeyField).ToBeFocusedAsync();
        await Expect(visit.Page.Locator("#dashboard")).ToBeHiddenAsync();

        await visit.EnterAsync();
        await Expect(visit.Page.Locator("#entry")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task The_key_is_kept_in_its_tab_only()
    {
        await using var visit = await shop.OpenAsync();
        var addresses = new List<string>();
        visit.Page.Request += (_, request) => addresses.Add(request.Url);
        await visit.EnterAsync();
        await visit.Page.ReloadAsync();
        await Expect(visit.Connection).ToHaveTextAsync("Live");

        addresses.ShouldNotContain(address => address.Contains(TestKeys.Everything, StringComparison.Ordinal));
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Shop.Commands.Url, "/console").ToString());
        (await visit.Page.EvaluateAsync<string[]>("""
            async () => [JSON.stringify(localStorage), document.cookie, location.href,
                document.documentElement.outerHTML,
                JSON.stringify(history.state), JSON.stringify(await indexedDB.databases()),
                    JSON.stringify(await caches.keys())]
            """)).ShouldAllBe(place => !place.Contains(TestKeys.Everything));
        (await visit.Page.EvaluateAsync<int>("() => sessionStorage.length")).ShouldBe(1);

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove the key" }).ClickAsync();
        await Expect(visit.KeyField).ToBeFocusedAsync();
        await Expect(visit.KeyField).ToHaveValueAsync("");
        (await visit.Page.EvaluateAsync<int>("() => sessionStorage.length")).ShouldBe(0);
        await visit.Page.ReloadAsync();
        await Expect(visit.KeyField).ToBeVisibleAsync();
    }

    [Fact]
    public async Task Nothing_that_was_read_with_a_key_is_left_in_the_page_after_it()
    {
        var name = $"Read {Guid.NewGuid():N}";
        var id = await shop.AddCategoryAsync(name);
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status => status["projection"]!["status"]!["deadLetters"] = 1);
        await visit.Page.RouteAsync("**/admin/dead-letters?*", route => route.FulfillAsync(new()
        {
            ContentType = "application/json",
            Body = $$"""{"items":[{"id":1,"bytes":9,"times":1,"reason":"{{name}}","excerpt":""}],"next":null}""",
        }));
        await visit.EnterAsync();
        await Expect(visit.Page.Locator("#letters .reason")).ToHaveTextAsync(name);
        await visit.EventsOf($"categories/{id}").GetByRole(AriaRole.Button).ClickAsync();
        await Expect(visit.Page.Locator("#event-detail pre")).ToContainTextAsync(name);
        await visit.PressAsync("Escape");
        (await visit.Page.ContentAsync()).ShouldContain(name);

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove the key" }).ClickAsync();
        await Expect(visit.KeyField).ToBeFocusedAsync();
        (await visit.Page.ContentAsync()).ShouldNotContain(name);
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Fact]
    public async Task A_key_that_has_become_invalid_has_to_be_entered_again()
    {
        await using var visit = await shop.EnterAsync();
        visit.ExpectFailure();
        await visit.Page.RouteAsync("**/admin/pipeline", route => route.FulfillAsync(new()
        {
            Status = 401,
            ContentType = "application/problem+json",
            Body = """{"title":"Unauthorized","status":401,"code":"access.key_required"}""",
        }));
        await Expect(visit.KeyProblem).ToHaveTextAsync("This key is not valid.");
        await Expect(visit.Page.Locator("#dashboard")).ToBeHiddenAsync();
        (await visit.Page.EvaluateAsync<int>("() => sessionStorage.length")).ShouldBe(0);
    }
}
