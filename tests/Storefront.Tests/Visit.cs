using ApexShop.Browser;
using Microsoft.Playwright;

namespace ApexShop.Storefront.Tests;

/// <summary>A browser page with the storefront.</summary>
public sealed class Visit : PageVisit
{
    private Visit(IBrowserContext context, IPage page, params Uri[] origins)
        : base(context, page, origins)
    {
    }

    public ILocator Cards => Page.Locator("#products .card");

    public ILocator Status => Page.Locator("#products .status");

    public ILocator Search => Page.GetByLabel("Search");

    public ILocator Title => Page.Locator("#product-name");

    public ILocator CartLink => Page.Locator(".top a[href='/cart']");

    public ILocator Lines => Page.Locator("#cart .line");

    public ILocator Total => Page.Locator("#cart .total strong");

    public ILocator Problem => Page.Locator("#cart .problem");

    public ILocator OrderButton => Page.GetByRole(AriaRole.Button, new() { Name = "Order", Exact = true });

    public ILocator Purchases => Page.Locator("#purchases .purchase");

    /// <summary>Opens an address of a page, which may send requests to other origins.</summary>
    public static async Task<Visit> OpenAsync(
        Chromium chromium, Uri page, string address, int width = 1280, int height = 900, params Uri[] others)
    {
        var context = await chromium.NewReaderAsync(page, width, height);
        var visit = new Visit(context, await context.NewPageAsync(), [page, .. others]);
        await visit.GoAsync(address);
        return visit;
    }

    /// <summary>Responses with a status of 400 or more do not fail the test.</summary>
    public Visit ExpectFailedResponses()
    {
        ExpectFailure();
        return this;
    }

    /// <summary>Puts the product of the page into the cart.</summary>
    public Task AddAsync() => Page.Locator("#product .add").ClickAsync();

    public async Task SignInAsync(string email)
    {
        await Page.GetByLabel("E-mail").FillAsync(email);
        await Page.GetByLabel("Password").FillAsync(SellingShop.Password);
        await Page.GetByRole(AriaRole.Button, new() { Name = "Sign in" }).ClickAsync();
        await Assertions.Expect(Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" })).ToBeVisibleAsync();
    }

    /// <summary>Signs in, puts a product into the cart, and opens the cart.</summary>
    public async Task FillCartAsync(Ware ware, string email)
    {
        await SignInAsync(email);
        await GoAsync(ware.Path);
        await AddAsync();
        await CartLink.ClickAsync();
    }

    /// <summary>A sentence on the button stays from now on until <see cref="EndSentenceAsync"/>.</summary>
    public Task HoldSentenceAsync() => Page.EvaluateAsync("""
        () => {
            const later = window.setTimeout;
            window.setTimeout = (act, time) => {
                if (time !== 4000) return later(act, time);
                window.endSentence = act;
                return 0;
            };
        }
        """);

    public Task EndSentenceAsync() => Page.EvaluateAsync("() => window.endSentence()");

    /// <summary>Changes members of the sign-in that the tab has stored.</summary>
    public Task ChangeSignInAsync(string values) => Page.EvaluateAsync($$"""
        () => {
            const stored = JSON.parse(sessionStorage.getItem('apexshop.account'));
            sessionStorage.setItem('apexshop.account', JSON.stringify({ ...stored, ...{{values}} }));
        }
        """);

    /// <summary>Changes members of the order in the cart that has no response.</summary>
    public Task ChangeOrderAsync(string values) => Page.EvaluateAsync($$"""
        () => {
            const { lines, order } = JSON.parse(localStorage.getItem('apexshop.cart'));
            localStorage.setItem('apexshop.cart', JSON.stringify({ lines, order: { ...order, ...{{values}} } }));
        }
        """);

    public async Task OrderAsync()
    {
        await Page.GetByLabel("Shipping address").FillAsync("1 Main Street");
        await OrderButton.ClickAsync();
    }

    /// <summary>Presses Tab until an element of this name has the focus.</summary>
    public async Task TabToAsync(string name, bool back = false)
    {
        const string Focused = """
            () => {
                const { ariaLabel, labels, textContent } = document.activeElement;
                return (ariaLabel ?? labels?.[0]?.firstChild.data ?? textContent).trim();
            }
            """;
        for (var presses = 0; presses < 40; presses++)
        {
            await PressAsync(back ? "Shift+Tab" : "Tab");
            if (await Page.EvaluateAsync<string>(Focused) == name) return;
        }

        throw new TimeoutException($"No element {name} got the focus.");
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
