using System.IO.Compression;
using System.Net;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The page as such: its files, its policy, and who can use it.</summary>
public sealed class PageTests(SampleShop shop) : IClassFixture<SampleShop>
{
    public static TheoryData<string, string> Files { get; } = new()
    {
        { "/", "text/html" },
        { "/storefront/storefront.css", "text/css" },
        { "/storefront/storefront.js", "text/javascript" },
        { "/storefront/icon.svg", "image/svg+xml" },
    };

    [Theory]
    [MemberData(nameof(Files))]
    public async Task A_file_has_its_type_its_policy_and_is_not_sent_twice(string path, string mediaType)
    {
        using var answer = await shop.Http.GetAsync(path);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe(mediaType);
        Header(answer, "Content-Security-Policy")
            .ShouldStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
        Header(answer, "Content-Security-Policy").ShouldNotContain("unsafe");
        Header(answer, "X-Content-Type-Options").ShouldBe("nosniff");
        Header(answer, "Referrer-Policy").ShouldBe("no-referrer");
        Header(answer, "Cache-Control").ShouldBe("no-cache");

        using var again = new HttpRequestMessage(HttpMethod.Get, path);
        again.Headers.IfNoneMatch.Add(answer.Headers.ETag!);
        using var same = await shop.Http.SendAsync(again);
        same.StatusCode.ShouldBe(HttpStatusCode.NotModified);

        using var head = await shop.Http.SendAsync(new HttpRequestMessage(HttpMethod.Head, path));
        head.StatusCode.ShouldBe(HttpStatusCode.OK);
        head.Content.Headers.ContentLength.ShouldBe(answer.Content.Headers.ContentLength);
    }

    [Fact]
    public async Task The_files_are_sent_compressed_to_who_asks_for_it()
    {
        using var question = new HttpRequestMessage(HttpMethod.Get, "/storefront/storefront.css");
        question.Headers.AcceptEncoding.ParseAdd("br");
        using var coded = await shop.Http.SendAsync(question);
        using var plain = await shop.Http.GetAsync("/storefront/storefront.css");
        coded.Content.Headers.ContentEncoding.ShouldBe(["br"]);
        coded.Headers.ETag.ShouldNotBe(plain.Headers.ETag);
        coded.Content.Headers.ContentLength!.Value.ShouldBeLessThan(plain.Content.Headers.ContentLength!.Value / 2);

        await using var packed = new BrotliStream(await coded.Content.ReadAsStreamAsync(), CompressionMode.Decompress);
        using var reader = new StreamReader(packed);
        (await reader.ReadToEndAsync()).ShouldBe(await plain.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Script_and_style_from_anywhere_but_the_files_is_refused()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).Not.ToHaveCountAsync(0);
        (await visit.Page.EvaluateAsync<string>("""
            () => {
                try { document.querySelector('#products .status').innerHTML = '<b>x</b>'; return 'taken'; }
                catch (error) { return error.name; }
            }
            """)).ShouldBe("TypeError");
        (await visit.Page.EvaluateAsync<string[]>("""
            async () => {
                const refused = [];
                addEventListener('securitypolicyviolation', violation => refused.push(violation.effectiveDirective));
                const style = document.createElement('style');
                style.textContent = 'body { display: none }';
                document.head.append(style);
                await new Promise(done => setTimeout(done));
                return [...refused, getComputedStyle(document.body).display];
            }
            """)).ShouldBe(["style-src-elem", "block"]);
        visit.ForgetComplaints();
    }

    [Theory]
    [InlineData("/", "storefront.js")]
    [InlineData("/", "feed.js")]
    [InlineData("/p/product-9", "views.js")]
    public async Task A_page_that_lacks_one_of_its_scripts_asks_to_load_it_again(string address, string script)
    {
        await using var visit = (await shop.VisitAsync(address)).ExpectFailedResponses();
        await Expect(visit.Page.Locator("#incomplete")).ToHaveCountAsync(0);
        await visit.Page.RouteAsync($"**/storefront/{script}", route => route.AbortAsync());
        await visit.Page.ReloadAsync();
        await Expect(visit.Page.GetByText("Load the page again.")).ToBeVisibleAsync();
    }

    [Fact]
    public async Task Everything_can_be_done_with_the_keyboard()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.PressAsync("Tab");
        (await visit.FocusAsync()).ShouldBe("Skip to the products");
        await visit.PressAsync("Enter");
        await Expect(visit.Page.GetByRole(AriaRole.Main)).ToBeFocusedAsync();
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());
        await visit.PressAsync("Tab");
        await Expect(visit.Search).ToBeFocusedAsync();
        await visit.Page.Keyboard.TypeAsync("oak lamp");
        await Expect(visit.Status).Not.ToHaveTextAsync("The first 60 products");
        await visit.PressAsync("Tab", "Tab", "Tab", "Tab", "Tab", "Space");
        await Expect(visit.Page.GetByLabel("In stock")).ToBeCheckedAsync();
        var found = SampleShop.Shown.Where(
            product => product.Stock > 0 && product.Name.StartsWith("Oak lamp", StringComparison.Ordinal)).ToList();
        await visit.ShowsAsync(found.Select(product => product.Name));

        await visit.TabToAsync(found[0].Name);
        await visit.PressAsync("Enter");
        await Expect(visit.Title).ToBeFocusedAsync();
        await visit.PressAsync("Shift+Tab", "Shift+Tab");
        (await visit.FocusAsync()).ShouldBe("All products");
        await visit.PressAsync("Enter");
        await Expect(visit.Cards.First.Locator(".name")).ToBeFocusedAsync();
    }

    [Fact]
    public async Task The_page_has_landmarks_and_says_how_many_products_there_are()
    {
        await using var visit = await shop.VisitAsync();
        foreach (var role in (AriaRole[])[AriaRole.Banner, AriaRole.Main, AriaRole.Search, AriaRole.Complementary])
            await Expect(visit.Page.GetByRole(role)).ToHaveCountAsync(1);
        await Expect(visit.Page.Locator("#products").GetByRole(AriaRole.List)).ToHaveCountAsync(1);
        await Expect(visit.Page.GetByRole(AriaRole.Heading, new() { Level = 1 })).ToHaveTextAsync("Products");
        await Expect(visit.Page.GetByRole(AriaRole.Status)).ToHaveTextAsync("The first 60 products");
        foreach (var field in await visit.Page.Locator("#filters :is(input, select)").AllAsync())
            await Expect(field).Not.ToHaveAccessibleNameAsync("");
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/?q=rawhide")]
    [InlineData("/?product=9")]
    [InlineData("/?product=77")]
    public async Task A_narrow_phone_needs_no_scrolling_sideways(string address)
    {
        await using var visit = await shop.VisitAsync(address, width: 360, height: 740);
        await Expect(visit.Page.Locator("#products .card, [data-state=ready]").First).ToBeVisibleAsync();
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(360);
    }

    [Fact]
    public async Task Dark_systems_get_a_dark_page()
    {
        await using var visit = await shop.VisitAsync();
        const string Paper = "() => getComputedStyle(document.documentElement).backgroundColor";
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.Light });
        (await visit.Page.EvaluateAsync<string>(Paper)).ShouldBe("rgb(247, 246, 243)");
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.Dark });
        (await visit.Page.EvaluateAsync<string>(Paper)).ShouldBe("rgb(20, 22, 21)");
    }

    private static string Header(HttpResponseMessage answer, string name) =>
        string.Join(", ", answer.Headers.GetValues(name));
}
