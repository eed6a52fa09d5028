using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace ApexShop.Browser;

/// <summary>
/// A reader at a page. Whatever a test looks at, its end also shows that no script failed, that the page kept to its
/// own policy and that nothing was asked of another origin.
/// </summary>
public class PageVisit : IAsyncDisposable
{
    /// <summary>How long to wait for what must come, in milliseconds.</summary>
    public const float Patience = 45_000;

    private readonly IBrowserContext context;
    private readonly Uri origin;
    private readonly ConcurrentQueue<string> complaints = new();
    private bool isFailureExpected;

    protected PageVisit(IBrowserContext context, IPage page, Uri origin)
    {
        (this.context, Page, this.origin) = (context, page, origin);
        context.SetDefaultTimeout(Patience);
        page.Console += (_, message) => Note(message);
        page.PageError += (_, error) => complaints.Enqueue(error);
        page.Request += (_, request) => NoteOrigin(request);
    }

    public IPage Page { get; }

    public Task GoAsync(string address) =>
        Page.GotoAsync(address, new() { WaitUntil = WaitUntilState.DOMContentLoaded });

    /// <summary>The browser itself reports an answer of 400 or more on its console, as it should.</summary>
    public void ExpectFailure() => isFailureExpected = true;

    public Task<string> FocusAsync() => Page.EvaluateAsync<string>("() => document.activeElement.textContent.trim()");

    /// <summary>Presses keys, one after the other.</summary>
    public async Task PressAsync(params string[] keys)
    {
        foreach (var key in keys) await Page.Keyboard.PressAsync(key);
    }

    /// <summary>Waits until the page has had its turn with everything that has arrived.</summary>
    public Task SettleAsync() =>
        Page.EvaluateAsync("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");

    /// <summary>For a test that breaks the page's policy on purpose.</summary>
    public void ForgetComplaints() => complaints.Clear();

    public async ValueTask DisposeAsync()
    {
        await context.DisposeAsync();
        complaints.ShouldBeEmpty();
        GC.SuppressFinalize(this);
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
        if (url.Authority != origin.Authority) complaints.Enqueue($"asked of another origin: {url}");
    }
}
