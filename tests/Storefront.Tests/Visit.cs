using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace ApexShop.Storefront.Tests;

/// <summary>
/// A reader at the page. Whatever a test looks at, its end also shows that no script failed, that the page kept to its
/// own policy and that nothing was asked of another origin.
/// </summary>
public sealed class Visit : IAsyncDisposable
{
    /// <summary>How long to wait for what must come, in milliseconds.</summary>
    public const float Patience = 45_000;

    private readonly IBrowserContext context;
    private readonly Uri shop;
    private readonly ConcurrentQueue<string> complaints = new();
    private bool isFailureExpected;

    private Visit(IBrowserContext context, IPage page, Uri shop)
    {
        (this.context, Page, this.shop) = (context, page, shop);
        page.Console += (_, message) => Note(message);
        page.PageError += (_, error) => complaints.Enqueue(error);
        page.Request += (_, request) => NoteOrigin(request);
    }

    public IPage Page { get; }

    public ILocator Cards => Page.Locator("#products .card");

    public ILocator Status => Page.Locator("#products .status");

    public ILocator Search => Page.GetByLabel("Search");

    public ILocator Title => Page.Locator("#product-name");

    /// <summary>Opens an address, with a desk's screen unless told otherwise.</summary>
    public static async Task<Visit> OpenAsync(Chromium chromium, Uri shop, string address, int width = 1280, int height = 900)
    {
        var context = await chromium.NewReaderAsync(shop, width, height);
        context.SetDefaultTimeout(Patience);
        var visit = new Visit(context, await context.NewPageAsync(), shop);
        await visit.GoAsync(address);
        return visit;
    }

    public Task GoAsync(string address) => Page.GotoAsync(address, new() { WaitUntil = WaitUntilState.DOMContentLoaded });

    /// <summary>The browser itself reports an answer of 400 or more on its console, as it should.</summary>
    public Visit ExpectFailedAnswers()
    {
        isFailureExpected = true;
        return this;
    }

    public Task<IReadOnlyList<string>> NamesAsync() => Cards.Locator(".name").AllTextContentsAsync();

    /// <summary>Waits until the list has these products in this order, and no other.</summary>
    public Task ShowsAsync(IEnumerable<string> names) => Assertions.Expect(Cards.Locator(".name")).ToHaveTextAsync(names);

    public Task<double> PlaceAsync() => Page.EvaluateAsync<double>("() => scrollY");

    public Task<string> FocusAsync() => Page.EvaluateAsync<string>("() => document.activeElement.textContent.trim()");

    /// <summary>Waits until the page has had its turn with everything that has arrived.</summary>
    public Task SettleAsync() =>
        Page.EvaluateAsync("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");

    /// <summary>For a test that breaks the page's policy on purpose.</summary>
    public void ForgetComplaints() => complaints.Clear();

    /// <summary>Ends when a request to an address with <paramref name="word"/> in it has, however it has.</summary>
    public Task EndOfRequestAsync(string word)
    {
        var end = new TaskCompletionSource();
        Page.RequestFinished += (_, request) => Look(request);
        Page.RequestFailed += (_, request) => Look(request);
        return end.Task;

        void Look(IRequest request)
        {
            if (request.Url.Contains(word, StringComparison.Ordinal)) end.TrySetResult();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await context.DisposeAsync();
        complaints.ShouldBeEmpty();
    }

    private void Note(IConsoleMessage message)
    {
        if (message.Type is not ("error" or "warning")) return;
        var isFailedAnswer = message.Text.StartsWith("Failed to load resource", StringComparison.Ordinal);
        if (!isFailedAnswer || !isFailureExpected) complaints.Enqueue($"{message.Text} ({message.Location})");
    }

    private void NoteOrigin(IRequest request)
    {
        var url = new Uri(request.Url);
        if (url.Authority != shop.Authority) complaints.Enqueue($"asked of another origin: {url}");
    }
}
