using Microsoft.Playwright;

namespace ApexShop.Browser;

/// <summary>The installed Chromium, headless; nothing is downloaded.</summary>
public sealed class Chromium : IAsyncDisposable
{
    private const string Variable = "APEXSHOP_CHROMIUM";

    // The first one has no windows, and needs a third less processor time.
    private static readonly string[] names =
        ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

    private readonly IPlaywright playwright;
    private readonly IBrowser browser;

    private Chromium(IPlaywright playwright, IBrowser browser) =>
        (this.playwright, this.browser) = (playwright, browser);

    public static async Task<Chromium> StartAsync()
    {
        var program = Find();
        // Machines are slow at times; the limit is only for what never happens.
        Assertions.SetDefaultExpectTimeout(PageVisit.Timeout);
        var playwright = await Playwright.CreateAsync();
        var browser = await playwright.Chromium.LaunchAsync(new()
        {
            ExecutablePath = program,
            // Its sandbox does not run as root, which tests in containers use; it opens only our own page.
            Args = ["--no-sandbox", "--disable-dev-shm-usage"],
            Timeout = PageVisit.Timeout,
        });
        return new Chromium(playwright, browser);
    }

    /// <summary>A new browser context: no cookies, no cache, nothing of another test.</summary>
    public Task<IBrowserContext> NewReaderAsync(
        Uri shop, int width, int height, bool hasScripts = true, string zone = "UTC") =>
        browser.NewContextAsync(new()
        {
            JavaScriptEnabled = hasScripts,
            BaseURL = shop.ToString(),
            Locale = "en-US",
            TimezoneId = zone,
            ViewportSize = new() { Width = width, Height = height },
            ReducedMotion = ReducedMotion.Reduce,
        });

    public async ValueTask DisposeAsync()
    {
        await browser.DisposeAsync();
        playwright.Dispose();
    }

    private static string Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } given) return given;
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        var found = from name in names from folder in folders select Path.Combine(folder, name);
        return found.FirstOrDefault(File.Exists) ?? throw new InvalidOperationException(
            $"There is no Chromium on the PATH ({string.Join(", ", names)}). Install it (Debian: apt-get install "
            + $"--no-install-recommends chromium-headless-shell) or name a Chrome or Chromium in {Variable}.");
    }
}
