using ApexShop.TestKit;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>The write database is restored to an earlier state while the page is open.</summary>
public sealed class RestoredLogTests(LiveShop shop) : IClassFixture<LiveShop>
{
    [Fact]
    public async Task The_list_of_events_begins_again_after_a_restore_and_says_so()
    {
        var kept = await shop.AddCategoryAsync("Kept");
        using var backup = await Backup.TakeAsync(shop.Shop.Database, "shop");
        await using var visit = await shop.EnterAsync();
        visit.ExpectFailure();
        var lost = await shop.AddCategoryAsync("Lost");
        await shop.AddCategoryAsync("Also lost");
        await Expect(visit.Events).ToHaveCountAsync(3);
        var position = await visit.EventsOf($"categories/{lost}").Locator(".position").TextContentAsync() ?? "";

        await shop.Shop.Commands.KillAsync();
        await backup.RestoreAsync();
        await shop.Shop.Commands.StartAsync();
        await Expect(visit.Page.Locator("#events .status")).ToHaveTextAsync(
            "The event log was replaced, by a restore or another server. These are the events of the new log.");
        await Expect(visit.EventsOf($"categories/{kept}")).ToHaveCountAsync(1);
        await Expect(visit.Events).ToHaveCountAsync(1);

        // A lower position than the last one that the page has read.
        var next = await shop.AddCategoryAsync("Next");
        await Expect(visit.EventsOf($"categories/{next}").Locator(".position")).ToHaveTextAsync(position);
        await Expect(visit.Events).ToHaveCountAsync(2);
    }
}
