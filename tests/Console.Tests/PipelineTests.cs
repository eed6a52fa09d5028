using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

[Collection(nameof(SharedShop))]
public sealed class PipelineTests(LiveShop shop)
{
    private const string Markup =
        "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> & co";

    [Fact]
    public async Task A_command_appears_as_an_event_and_advances_every_position()
    {
        await using var visit = await shop.EnterAsync();
        await Expect(visit.Note("log")).ToHaveTextAsync("led by this process");
        var before = await visit.NumberAsync("log");

        var name = $"Desks {Guid.NewGuid():N}";
        var id = await shop.AddCategoryAsync(name);
        await Expect(visit.EventsOf($"categories/{id}")).ToHaveCountAsync(1);
        var row = visit.EventsOf($"categories/{id}");
        await Expect(row.Locator(".type")).ToHaveTextAsync("category.created");
        await Expect(row.Locator(".summary")).ToHaveTextAsync(name);
        foreach (var step in (string[])["log", "published", "applied"])
            await Eventually.Holds(async () => await visit.NumberAsync(step) > before, $"{step} moves on");
        await Expect(visit.Note("applied")).ToHaveTextAsync("all");
        await Expect(visit.Figure("outbox")).ToHaveTextAsync("0");
        await Expect(visit.Page.Locator("#resources tbody tr")).ToHaveCountAsync(5);
        var cells = visit.Page.Locator("#resources tbody tr", new() { HasText = "categories" }).Locator("td");
        await Expect(cells.Nth(0)).Not.ToHaveTextAsync("0");
        await Expect(cells.Nth(1)).ToHaveTextAsync(await cells.Nth(0).TextContentAsync() ?? "");
    }

    [Fact]
    public async Task A_count_of_events_that_has_reached_its_bound_has_a_plus()
    {
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status => status["projection"]!["lag"]!["orders"]!["events"] = 10_000);
        await visit.EnterAsync();

        var cells = visit.Page.Locator("#resources tbody tr", new() { HasText = "orders" }).Locator("td");
        await Expect(cells.Nth(2)).ToHaveTextAsync("10,000+");
    }

    [Fact]
    public async Task Events_are_sorted_newest_first_and_can_be_paused()
    {
        await using var visit = await shop.EnterAsync();
        var first = await shop.AddCategoryAsync($"First {Guid.NewGuid():N}");
        await Expect(visit.Events.First.Locator(".subject")).ToHaveTextAsync($"categories/{first}");
        var hold = visit.Page.GetByRole(AriaRole.Button, new() { Name = "Pause" });
        await hold.ClickAsync();
        await Expect(hold).ToHaveAttributeAsync("aria-pressed", "true");
        var second = await shop.AddCategoryAsync($"Second {Guid.NewGuid():N}");
        await Expect(visit.Note("applied")).ToHaveTextAsync("all");
        await Expect(visit.Events.First.Locator(".subject")).ToHaveTextAsync($"categories/{first}");

        await hold.ClickAsync();
        await Expect(visit.Events.First.Locator(".subject")).ToHaveTextAsync($"categories/{second}");
        await Expect(visit.Events.Nth(1).Locator(".subject")).ToHaveTextAsync($"categories/{first}");
    }

    [Fact]
    public async Task Many_events_leave_a_bounded_list()
    {
        await using var visit = await shop.EnterAsync();
        for (var i = 0; i < 60; i++) await shop.AddCategoryAsync($"Many {i} {Guid.NewGuid():N}");
        var last = await shop.AddCategoryAsync($"Last {Guid.NewGuid():N}");
        await Expect(visit.Events.First.Locator(".subject")).ToHaveTextAsync($"categories/{last}");
        await Expect(visit.Events).ToHaveCountAsync(50);
        var positions = (await visit.Events.Locator(".position").AllTextContentsAsync()).Select(long.Parse).ToList();
        positions.ShouldBe(positions.OrderDescending());
        positions.Distinct().Count().ShouldBe(50);
    }

    [Fact]
    public async Task Without_the_live_stream_the_events_are_polled()
    {
        await using var visit = await shop.OpenAsync();
        visit.ExpectFailure();
        await visit.Page.RouteAsync(
            "**/events/live?*", route => route.FulfillAsync(new() { Status = 404, Body = "{}" }));
        await visit.EnterAsync();
        var ids = new[]
        {
            await shop.AddCategoryAsync($"Asked {Guid.NewGuid():N}"),
            await shop.AddCategoryAsync($"Asked {Guid.NewGuid():N}"),
        };
        await Expect(visit.Events.First.Locator(".subject")).ToHaveTextAsync($"categories/{ids[1]}");
        foreach (var id in ids) await Expect(visit.EventsOf($"categories/{id}")).ToHaveCountAsync(1);
    }

    [Fact]
    public async Task Without_the_scope_for_events_all_other_parts_are_shown()
    {
        await using var visit = await shop.OpenAsync();
        visit.ExpectFailure();
        await visit.Page.RouteAsync(
            "**/events/live?*", route => route.FulfillAsync(new() { Status = 403, Body = "{}" }));
        await visit.EnterAsync();
        await Expect(visit.Page.Locator("#events .status"))
            .ToHaveTextAsync("This key may not read all events (scopes events:read, orders:read, users:read).");
        await Expect(visit.Note("log")).ToHaveTextAsync("led by this process");
        await Expect(visit.Events).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task An_error_in_the_stream_of_events_is_shown_and_the_stream_is_closed()
    {
        await using var visit = await shop.OpenAsync();
        await visit.Page.EvaluateAsync("""
            () => {
                const request = window.fetch;
                const record = 'event: error\ndata: {"error":{"code":"events.unknown","after":0}}\n\n';
                window.cancelled = 0;
                const stream = () => new ReadableStream({
                    start: (body) => body.enqueue(new TextEncoder().encode(record)),
                    cancel: () => void window.cancelled++,
                });
                window.fetch = async (path, options) =>
                    path.startsWith('/events/live') ? new Response(stream()) : request(path, options);
            }
            """);
        await visit.EnterAsync();
        await Expect(visit.Page.Locator("#events .status")).ToHaveTextAsync("Events cannot be read: events.unknown");
        await Eventually.Holds(
            async () => await visit.Page.EvaluateAsync<int>("() => window.cancelled") > 0, "the stream is closed");
    }

    [Fact]
    public async Task Markup_in_a_name_stays_text()
    {
        await using var visit = await shop.EnterAsync();
        var title = await visit.Page.TitleAsync();
        var id = await shop.AddCategoryAsync(Markup);
        await Expect(visit.EventsOf($"categories/{id}").Locator(".summary")).ToHaveTextAsync(Markup);
        (await visit.Page.Locator("#events img, #events script").CountAsync()).ShouldBe(0);
        (await visit.Page.TitleAsync()).ShouldBe(title);
    }

    [Theory]
    [InlineData("running", "copying, 30 of 120 documents, 4 s so far. <b>asked</b>", 0.25)]
    [InlineData("failed", "The last rebuild failed while copying: <b>no room</b>", null)]
    [InlineData("done", "The last rebuild wrote 30 documents in 4 s.", null)]
    [InlineData("none", "There was no rebuild yet.", null)]
    public async Task A_rebuild_shows_its_progress_or_its_result(string state, string words, double? progress)
    {
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status => status["projection"]!["rebuild"] = JsonNode.Parse($$"""
            {"state":"{{state}}","phase":"copying","cause":"<b>asked</b>","failure":"<b>no room</b>","seconds":4,
            "done":30,"total":120}
            """));
        await visit.EnterAsync();
        var rebuild = visit.Page.Locator("#rebuild");
        await Expect(visit.Figure("log")).Not.ToHaveTextAsync("");
        await Expect(rebuild.Locator(".note")).ToHaveTextAsync(words);
        if (progress is null) await Expect(rebuild.Locator("progress")).ToBeHiddenAsync();
        else (await rebuild.Locator("progress").EvaluateAsync<double>("bar => bar.value")).ShouldBe(progress.Value);
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Theory]
    [InlineData("ok", "The state of the rebuild is not reported.")]
    [InlineData("unavailable", "The Projector is unavailable.")]
    [InlineData("refused", "This key may not read the Projector (scope admin).")]
    public async Task A_rebuild_that_is_not_reported_shows_why(string state, string words)
    {
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status =>
        {
            status["projection"]!["state"] = state;
            status["projection"]!["rebuild"] = null;
        });
        await visit.EnterAsync();
        await Expect(visit.Page.Locator("#rebuild .note")).ToHaveTextAsync(words);
        if (state != "ok") await Expect(visit.Note("applied")).ToHaveTextAsync(words.TrimEnd('.'));
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Fact]
    public async Task The_latency_of_the_first_change_after_a_start_is_drawn()
    {
        var changes = 0;
        await using var visit = await shop.OpenAsync();
        await visit.RouteStatusAsync(status => status["projection"]!["visible"] = JsonNode.Parse(changes == 0
            ? "[]"
            : """[{"seconds":0.01,"changes":0},{"seconds":0.1,"changes":1},{"seconds":null,"changes":1}]"""));
        await visit.EnterAsync();
        var line = visit.Page.Locator("#latency path.line-0");
        await Expect(visit.Page.Locator("#throughput path.line-0")).ToHaveAttributeAsync("d", new Regex("^M"));
        await Expect(line).ToHaveAttributeAsync("d", "");

        changes = 1;
        await Expect(line).ToHaveAttributeAsync("d", new Regex("^M"));
        await visit.Page.UnrouteAllAsync(new() { Behavior = UnrouteBehavior.IgnoreErrors });
    }

    [Fact]
    public async Task Charts_draw_the_readings_and_have_a_text_alternative()
    {
        await using var visit = await shop.EnterAsync();
        var chart = visit.Page.Locator("#throughput svg");
        await shop.AddCategoryAsync($"Drawn {Guid.NewGuid():N}");
        await Expect(chart.Locator("path.line-0")).ToHaveAttributeAsync("d", new Regex("M[^M]*L"));
        await Expect(chart.Locator("path.line-1")).ToHaveAttributeAsync("d", new Regex("^M"));
        await Expect(chart)
            .ToHaveAttributeAsync("aria-label", new Regex(@"^Events per second: appended [\d.,]+, applied [\d.,]+$"));
        await Expect(visit.Page.Locator("#lag svg"))
            .ToHaveAttributeAsync("aria-label", new Regex(@"^Lag: oldest event not applied [\d.]+ m?s$"));
    }
}
