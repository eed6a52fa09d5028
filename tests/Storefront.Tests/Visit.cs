using ApexShop.Browser;
using Microsoft.Playwright;

namespace ApexShop.Storefront.Tests;

/// <summary>A browser page with the storefront.</summary>
public sealed class Visit : PageVisit
{
    private Visit(IBrowserContext context, IPage page, Uri shop)
        : base(context, page, shop)
    {
    }

    public ILocator Cards => Page.Locator("#products .card");

    public ILocator Status => Page.Locator("#products .status");

    public ILocator Search => Page.GetByLabel("Search");

    public ILocator Title => Page.Locator("#product-name");

    /// <summary>Opens an address, by default with a desktop's screen.</summary>
    public static async Task<Visit> OpenAsync(
        Chromium chromium, Uri shop, string address, int width = 1280, int height = 900)
    {
        var context = await chromium.NewReaderAsync(shop, width, height);
        var visit = new Visit(context, await context.NewPageAsync(), shop);
        await visit.GoAsync(address);
        return visit;
    }

    /// <summary>Responses with a status of 400 or more do not fail the test.</summary>
    public Visit ExpectFailedResponses()
    {
        ExpectFailure();
        return this;
    }

    public Task<IReadOnlyList<string>> NamesAsync() => Cards.Locator(".name").AllTextContentsAsync();

    /// <summary>Waits until the list has these products in this order, and no other.</summary>
    public Task ShowsAsync(IEnumerable<string> names) =>
        Assertions.Expect(Cards.Locator(".name")).ToHaveTextAsync(names);

    public Task<double> ScrollPositionAsync() => Page.EvaluateAsync<double>("() => scrollY");

    /// <summary>Completes when a request to an address with <paramref name="word"/> has ended or failed.</summary>
    public Task EndOfRequestAsync(string word)
    {
        var end = new TaskCompletionSource();
        Page.RequestFinished += (_, request) => Check(request);
        Page.RequestFailed += (_, request) => Check(request);
        return end.Task;

        void Check(IRequest request)
        {
            if (request.Url.Contains(word, StringComparison.Ordinal)) end.TrySetResult();
        }
    }
}
