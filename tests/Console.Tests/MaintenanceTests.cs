using System.Net;
using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>The buttons for all documents: rebuild, audit, and the replay of everything.</summary>
public sealed partial class MaintenanceTests(LiveShop shop) : IClassFixture<LiveShop>
{
    [Fact]
    public async Task A_rebuild_is_started_after_confirmation_and_reports_its_end()
    {
        await shop.AddCategoryAsync("Rebuilt");
        await using var visit = await EnterAsync();
        var rebuild = visit.Page.Locator("#rebuild");
        await Expect(rebuild.Locator(".note")).ToHaveTextAsync("There was no rebuild yet.");
        await Button(rebuild, "Rebuild all documents").ClickAsync();
        var dialog = visit.Page.GetByRole(AriaRole.Dialog, new() { Name = "Rebuild all documents?" });
        await Expect(Button(dialog, "Cancel")).ToBeFocusedAsync();
        await visit.PressAsync("Enter");
        await Expect(dialog).ToBeHiddenAsync();
        await Expect(rebuild.Locator(".outcome")).ToBeHiddenAsync();

        await Button(rebuild, "Rebuild all documents").ClickAsync();
        await Button(dialog, "Rebuild").ClickAsync();
        await Expect(rebuild.Locator(".outcome")).ToHaveTextAsync("Done: 0 documents changed.");
        await Expect(rebuild.Locator(".note")).ToHaveTextAsync(RebuildEnd());
        await Expect(rebuild.Locator("progress")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task A_rebuild_whose_state_cannot_be_read_for_a_moment_reports_its_end()
    {
        await using var visit = await EnterAsync();
        visit.ExpectFailure();
        var reads = 0;
        await visit.Page.RouteAsync("**/admin/projections/rebuild", route => route.FulfillAsync(new()
        {
            Status = route.Request.Method == "POST" ? 202 : ++reads == 1 ? 503 : 200,
            ContentType = "application/json",
            Body = reads < 2
                ? """{"state":"running","documents":{}}"""
                : """{"state":"done","documents":{"orders":{"differing":2}}}""",
        }));
        var rebuild = visit.Page.Locator("#rebuild");
        await Button(rebuild, "Rebuild all documents").ClickAsync();
        await Button(visit.Page.GetByRole(AriaRole.Dialog), "Rebuild").ClickAsync();
        await Expect(rebuild.Locator(".outcome")).ToHaveTextAsync("Done: 2 documents changed.");
        reads.ShouldBe(2);
    }

    [Fact]
    public async Task An_audit_reports_its_progress_the_differences_and_repairs_them()
    {
        var id = await shop.AddCategoryAsync("Audited");
        await Eventually.Holds(async () => await shop.CategoryAsync(id) == HttpStatusCode.OK, "the document is there");
        await shop.SqlAsync($"UPDATE read.categories SET name = 'Changed' WHERE id = {id}");
        await using var visit = await EnterAsync();
        var audit = visit.Page.Locator("#audit");
        await Button(audit, "Audit").ClickAsync();
        await Expect(audit.Locator(".outcome")).ToHaveTextAsync(AuditEnd("1 difference, 0 repaired"));
        await Expect(audit.Locator(".differences li")).ToContainTextAsync([$"categories/{id}: "]);

        await Button(audit, "Audit and repair").ClickAsync();
        await Button(visit.Page.GetByRole(AriaRole.Dialog), "Audit and repair").ClickAsync();
        await Expect(audit.Locator(".outcome")).ToHaveTextAsync(AuditEnd("1 difference, 1 repaired"));
        await Button(audit, "Audit").ClickAsync();
        await Expect(audit.Locator(".outcome")).ToHaveTextAsync(AuditEnd("no differences"));
        await Expect(audit.Locator(".differences li")).ToHaveCountAsync(0);
    }

    [Theory]
    [InlineData("""{"kind":"failure","code":"log.unavailable","detail":"<b>The write side</b> is unavailable."}""",
        "<b>The write side</b> is unavailable.")]
    [InlineData("", "The audit ended early; the differences that are listed are valid.")]
    public async Task An_audit_that_fails_says_so(string lastLine, string words)
    {
        await using var visit = await EnterAsync();
        await visit.Page.RouteAsync("**/admin/audit", route => route.FulfillAsync(new()
        {
            ContentType = "application/x-ndjson",
            Body = $$"""
                {"kind":"progress","resource":"orders","compared":1200,"differences":3,"next":"rows/orders/3"}
                {{lastLine}}

                """,
        }));
        var audit = visit.Page.Locator("#audit");
        await Button(audit, "Audit").ClickAsync();
        await Expect(audit.Locator(".outcome")).ToHaveTextAsync(words);
        await Expect(audit.Locator(".outcome")).ToHaveAttributeAsync("data-state", "alarm");
        await Expect(audit.Locator("progress")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task A_running_audit_has_a_progress_bar_and_no_other_one_begins()
    {
        await using var visit = await EnterAsync();
        var end = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/admin/audit", async route =>
        {
            await end.Task;
            await route.ContinueAsync();
        });
        var audit = visit.Page.Locator("#audit");
        await Button(audit, "Audit").ClickAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Progressbar, new() { Name = "Audit" })).ToBeVisibleAsync();
        await Expect(audit.Locator(".outcome")).ToHaveTextAsync("Starting");
        await Button(audit, "Audit and repair").ClickAsync();
        await Expect(audit.Locator(".outcome"))
            .ToHaveTextAsync("An audit is still running. To end it, reload the page.");
        await Expect(audit.Locator("progress")).ToBeVisibleAsync();
        end.SetResult();
        await Expect(audit.Locator(".outcome")).ToContainTextAsync("compared in");
        await Expect(audit.Locator("progress")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task Everything_that_is_parked_is_replayed_after_a_preview()
    {
        const string refusal = "none of these";
        await shop.SqlAsync(
            $"""ALTER TABLE read.categories ADD CONSTRAINT "{refusal}" CHECK (name NOT LIKE 'Stuck%')""");
        var ids = new List<int>();
        for (var number = 0; number < 23; number++) ids.Add(await shop.AddCategoryAsync($"Stuck {number}"));
        await using var visit = await EnterAsync();
        var parked = visit.Page.Locator("#parked");
        await Expect(parked.Locator(".repair")).ToHaveCountAsync(23);
        await Button(parked, "Replay all").ClickAsync();
        await Expect(parked.Locator(".status")).ToContainTextAsync("Nothing can be applied: ");

        await shop.SqlAsync($"""ALTER TABLE read.categories DROP CONSTRAINT "{refusal}" """);
        await Button(parked, "Replay all").ClickAsync();
        var dialog = visit.Page.GetByRole(AriaRole.Dialog, new() { Name = "Replay all?" });
        await Expect(dialog).ToContainTextAsync("23 parked events of 23 aggregates would be applied.");
        (await shop.CategoryAsync(ids[0])).ShouldBe(HttpStatusCode.NotFound);
        await Button(dialog, "Replay all").ClickAsync();
        await Expect(parked.Locator(".status")).ToHaveTextAsync("23 events applied. Nothing is parked.");
        await Expect(Button(parked, "Replay all")).ToBeHiddenAsync();
        await Expect(visit.Page.Locator("#parked-title")).ToBeFocusedAsync();
        foreach (var id in ids)
        {
            await Eventually.Holds(
                async () => await shop.CategoryAsync(id) == HttpStatusCode.OK, "the document is there");
        }
    }

    // The second sample draws the first lines; a click while the page still moves for it may miss its button.
    private async Task<Visit> EnterAsync()
    {
        var visit = await shop.EnterAsync();
        await Expect(visit.Page.Locator(".charts path.line-0[d*=L]").First).ToBeAttachedAsync();
        return visit;
    }

    private static Regex AuditEnd(string found) =>
        new($@"^[\d,]+ documents? compared in [\d.]+ (ms|s): {Regex.Escape(found)}\.$");

    private static ILocator Button(ILocator place, string name) =>
        place.GetByRole(AriaRole.Button, new() { Name = name, Exact = true });

    [GeneratedRegex(@"^The last rebuild wrote [1-9]\d* documents? in [\d.]+ m?s\.$")]
    private static partial Regex RebuildEnd();
}
