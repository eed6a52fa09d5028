using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>
/// The page shows which parts of the shop are unavailable, and recovers when they are available again.
/// </summary>
public sealed class UnavailableTests(LiveShop shop) : IClassFixture<LiveShop>
{
    [Fact]
    public async Task A_killed_Projector_is_shown_as_unavailable_and_catches_up_after_its_restart()
    {
        await using var visit = await shop.EnterAsync();
        visit.ExpectFailure();
        await Expect(visit.Note("applied")).ToHaveTextAsync("all");
        await shop.Shop.Projector.KillAsync();
        await Expect(visit.Note("applied")).ToHaveTextAsync("The Projector is unavailable");
        await Expect(visit.Note("lag")).ToHaveTextAsync("The Projector is unavailable");
        await Expect(visit.Connection).ToHaveTextAsync("Live");

        var id = await shop.AddCategoryAsync("Meanwhile");
        await Expect(visit.EventsOf($"categories/{id}")).ToHaveCountAsync(1);
        await Expect(visit.Note("published")).ToHaveTextAsync("all");

        await shop.Shop.Projector.StartAsync();
        await Expect(visit.Note("applied")).ToHaveTextAsync("all");
        await Expect(visit.Figure("applied")).ToHaveTextAsync(await visit.Figure("log").TextContentAsync() ?? "");
    }

    [Fact]
    public async Task Killed_queries_make_the_cache_unavailable_and_nothing_else()
    {
        await using var visit = await shop.EnterAsync();
        await shop.Shop.Queries.KillAsync();
        await Expect(visit.Note("cache")).ToHaveTextAsync("Queries.Api is unavailable");
        await Expect(visit.Note("applied")).ToHaveTextAsync("all");
        await shop.Shop.Queries.StartAsync();
        await Expect(visit.Note("cache")).Not.ToHaveTextAsync("Queries.Api is unavailable");
    }

    [Fact]
    public async Task A_killed_Commands_Api_is_shown_and_the_page_reconnects_after_its_restart()
    {
        await using var visit = await shop.EnterAsync();
        visit.ExpectFailure();
        await shop.Shop.Commands.KillAsync();
        await Expect(visit.Connection).ToHaveTextAsync("Commands.Api is unavailable.");
        await Expect(visit.Process("Commands.Api").Locator(".note")).ToHaveTextAsync("unavailable");
        await Expect(visit.Page.Locator("#dashboard")).ToBeVisibleAsync();

        await shop.Shop.Commands.StartAsync();
        await Expect(visit.Connection).ToHaveTextAsync("Live");
        var id = await shop.AddCategoryAsync("Back again");
        await Expect(visit.EventsOf($"categories/{id}")).ToHaveCountAsync(1);
    }
}
