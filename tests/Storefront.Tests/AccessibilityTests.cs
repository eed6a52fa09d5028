using ApexShop.Browser;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

public sealed class AccessibilityTests(SampleShop shop) : IClassFixture<SampleShop>
{
    [Theory]
    [InlineData("/", 1280)]
    [InlineData("/", 360)]
    [InlineData("/?q=submarine&inStock=true", 360)]
    [InlineData("/?product=9", 1280)]
    [InlineData("/?product=9999", 360)]
    public async Task A_view_passes_the_checks_in_light_and_dark(string address, int width)
    {
        await using var visit = (await shop.VisitAsync(address, width)).ExpectFailedResponses();
        await Expect(visit.Page.Locator(".card, .empty .links li, [data-state=ready], [data-state=failed]").First)
            .ToBeVisibleAsync();
        await Expect(visit.Page.Locator(".skeleton")).ToHaveCountAsync(0);
        await visit.ShouldBeAccessibleAsync(address);
    }

    [Fact]
    public async Task The_checks_find_what_is_wrong()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.Page.EvaluateAsync("""
            () => {
                document.querySelector('#products .status').style.setProperty('opacity', '.3');
                document.querySelector('[name=q]').parentElement.firstChild.remove();
                document.querySelector('h1')
                    .replaceWith(Object.assign(document.createElement('h4'), { textContent: 'x' }));
                document.body.append(Object.assign(document.createElement('p'), { textContent: 'Outside' }));
            }
            """);
        var faults = string.Join('\n', await visit.FaultsAsync());
        foreach (var words in (string[])["contrast 1.", "no name: input", "0 elements h1", "outside of landmarks: p"])
            faults.ShouldContain(words);
        var violations = string.Join('\n', await visit.ViolationsAsync());
        foreach (var rule in (string[])["color-contrast", "page-has-heading-one", "region"])
            violations.ShouldContain(rule);
    }
}
