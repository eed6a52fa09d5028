using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
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

        await RemoveKeyAsync(visit);
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
        await visit.RouteStatusAsync(status => Fail(status["projection"]!, name));
        await visit.Page.RouteAsync("**/admin/dead-letters?*", route => route.FulfillAsync(new()
        {
            ContentType = "application/json",
            Body = $$"""
                {"items":[{"id":"{{name}}","bytes":9,"times":1,"reason":"{{name}}","excerpt":""}],"next":null}
                """,
        }));
        await visit.EnterAsync();
        await Expect(visit.Note("applied")).ToHaveTextAsync(name);
        await Expect(visit.Page.Locator("#rebuild .note")).ToContainTextAsync(name);
        await Expect(visit.Page.Locator("#throughput path.line-0")).ToHaveAttributeAsync("d", new Regex("^M"));
        await Expect(visit.Page.Locator("#letters .reason")).ToHaveTextAsync(name);
        await visit.Page.Locator("#letters").GetByRole(AriaRole.Button, new() { Name = "Discard" }).ClickAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Dialog)).ToContainTextAsync(name);
        await visit.PressAsync("Escape");
        await visit.EventsOf($"categories/{id}").GetByRole(AriaRole.Button).ClickAsync();
        await Expect(visit.Page.Locator("#event-detail pre")).ToContainTextAsync(name);
        await visit.PressAsync("Escape");

        await RemoveKeyAsync(visit);
        (await visit.Page.ContentAsync()).ShouldNotContain(name);
        await ExpectNothingAsync(visit);
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Fact]
    public async Task A_rebuild_that_runs_leaves_no_progress_in_the_page_after_the_key()
    {
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status => status["projection"]!["rebuild"] = JsonNode.Parse(
            """{"state":"running","phase":"copying","cause":"asked","seconds":4,"done":30,"total":120}"""));
        await visit.EnterAsync();
        var progress = visit.Page.Locator("#rebuild progress");
        await Expect(progress).ToHaveAttributeAsync("value", "0.25");

        await RemoveKeyAsync(visit);
        (await progress.GetAttributeAsync("value")).ShouldBeNull();
        await ExpectNothingAsync(visit);
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Fact]
    public async Task A_response_that_was_read_before_the_key_was_removed_is_not_shown_after_it()
    {
        await using var visit = await shop.EnterAsync();
        await visit.Page.EvaluateAsync("""
            () => new Promise(held => {
                const read = Response.prototype.json;
                Response.prototype.json = async function () {
                    const value = await read.call(this);
                    if (!this.url.endsWith('/admin/pipeline')) return value;
                    held();
                    await new Promise(release => window.release = release);
                    return value;
                };
            })
            """);
        await RemoveKeyAsync(visit);
        await visit.Page.EvaluateAsync("() => window.release()");
        await visit.SettleAsync();
        await ExpectNothingAsync(visit);
    }

    [Fact]
    public async Task A_key_that_has_become_invalid_has_to_be_entered_again()
    {
        await using var visit = await shop.EnterAsync();
        await InvalidateKeyAsync(visit);
        await Expect(visit.Page.Locator("#dashboard")).ToBeHiddenAsync();
        (await visit.Page.EvaluateAsync<int>("() => sessionStorage.length")).ShouldBe(0);
    }

    [Fact]
    public async Task A_question_that_waits_for_another_is_not_asked_after_the_key()
    {
        await using var visit = await shop.EnterAsync();
        var (rebuild, audit) = (visit.Page.Locator("#rebuild"), visit.Page.Locator("#audit"));
        await rebuild.GetByRole(AriaRole.Button, new() { Name = "Rebuild all documents" }).ClickAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Dialog)).ToContainTextAsync("Rebuild all documents?");
        await audit.GetByText("Audit and repair", new() { Exact = true }).DispatchEventAsync("click");

        await InvalidateKeyAsync(visit);
        await visit.SettleAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Dialog)).ToHaveCountAsync(0);
    }

    private static void Fail(JsonNode projection, string words)
    {
        projection["status"]!["deadLetters"] = 1;
        projection["status"]!["logBreak"] = words;
        projection["rebuild"] = new JsonObject
        {
            ["state"] = "failed", ["phase"] = "copying", ["cause"] = words, ["failure"] = words,
        };
    }

    private static async Task InvalidateKeyAsync(Visit visit)
    {
        visit.ExpectFailure();
        await visit.Page.RouteAsync("**/admin/pipeline", route => route.FulfillAsync(new()
        {
            Status = 401,
            ContentType = "application/problem+json",
            Body = """{"title":"Unauthorized","status":401,"code":"access.key_required"}""",
        }));
        await Expect(visit.KeyProblem).ToHaveTextAsync("This key is not valid.");
    }

    private static async Task RemoveKeyAsync(Visit visit)
    {
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove the key" }).ClickAsync();
        await Expect(visit.KeyField).ToBeFocusedAsync();
    }

    private static async Task ExpectNothingAsync(Visit visit)
    {
        await Expect(visit.Connection).ToHaveTextAsync("");
        var texts = await visit.Page.Locator("#dashboard .figure, #dashboard [data-step] .note, [data-tile] .note, "
            + "#rebuild .note, .outcome, .status").AllTextContentsAsync();
        texts.ShouldNotBeEmpty();
        texts.ShouldAllBe(text => text == "");
        (await visit.Page.Locator(".processes > li, tbody tr, .repair").CountAsync()).ShouldBe(0);
        (await visit.Page.Locator("path.line:not([d=''])").CountAsync()).ShouldBe(0);
    }
}
