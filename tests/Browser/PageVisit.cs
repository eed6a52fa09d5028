using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace ApexShop.Browser;

/// <summary>
/// A visit of one page. Disposing it also checks that no script failed, that the page did not break its own policy and
/// that nothing was requested from origins beside those of the shop.
/// </summary>
public class PageVisit : IAsyncDisposable
{
    /// <summary>The time limit of a wait, in milliseconds.</summary>
    public const float Timeout = 45_000;

    private readonly IBrowserContext context;
    private readonly Uri[] origins;
    private readonly ConcurrentQueue<string> complaints = new();
    private readonly ConcurrentQueue<string> failedResponses = new();
    private bool isFailureExpected;

    protected PageVisit(IBrowserContext context, IPage page, params Uri[] origins)
    {
        (this.context, Page, this.origins) = (context, page, origins);
        context.SetDefaultTimeout(Timeout);
        page.Console += (_, message) => Note(message);
        page.PageError += (_, error) => complaints.Enqueue(error);
        page.Request += (_, request) => NoteOrigin(request);
    }

    public IPage Page { get; }

    public Task GoAsync(string address) =>
        Page.GotoAsync(address, new() { WaitUntil = WaitUntilState.DOMContentLoaded });

    /// <summary>
    /// Handles only the first request of a route. Not a route that ends after it (<c>Times</c>): one that is added at
    /// that moment may end with it.
    /// </summary>
    public static Func<IRoute, Task> Once(Func<IRoute, Task> handle)
    {
        var isHandled = false;
        return route => Interlocked.Exchange(ref isHandled, true) ? route.FallbackAsync() : handle(route);
    }

    /// <summary>Responds as a proxy that has no route to the shop.</summary>
    public static Task RefuseAsProxyAsync(IRoute route) => route.FulfillAsync(new()
    {
        Status = 404,
        ContentType = "text/plain",
        Headers = new Dictionary<string, string> { ["Access-Control-Allow-Origin"] = "*" },
        Body = "404 page not found",
    });

    /// <summary>
    /// The browser reports a response with status 400 or more on its console, which this test expects, also of those
    /// that have arrived already.
    /// </summary>
    public void ExpectFailure() => isFailureExpected = true;

    public Task<string> FocusAsync() => Page.EvaluateAsync<string>("() => document.activeElement.textContent.trim()");

    /// <summary>Presses keys, one after the other.</summary>
    public async Task PressAsync(params string[] keys)
    {
        foreach (var key in keys) await Page.Keyboard.PressAsync(key);
    }

    /// <summary>Waits until the page has handled everything that has arrived.</summary>
    public Task SettleAsync() =>
        Page.EvaluateAsync("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");

    /// <summary>For a test that breaks the page's policy on purpose.</summary>
    public void ForgetComplaints()
    {
        complaints.Clear();
        failedResponses.Clear();
    }

    public async ValueTask DisposeAsync()
    {
        await context.DisposeAsync();
        complaints.ShouldBeEmpty();
        if (!isFailureExpected) failedResponses.ShouldBeEmpty();
        GC.SuppressFinalize(this);
    }

    private void Note(IConsoleMessage message)
    {
        if (message.Type is not ("error" or "warning")) return;
        var isFailedResponse = message.Text.StartsWith("Failed to load resource", StringComparison.Ordinal);
        (isFailedResponse ? failedResponses : complaints).Enqueue($"{message.Text} ({message.Location})");
    }

    private void NoteOrigin(IRequest request)
    {
        var url = new Uri(request.Url);
        if (!Array.Exists(origins, origin => origin.Authority == url.Authority))
            complaints.Enqueue($"request to another origin: {url}");
    }
}
