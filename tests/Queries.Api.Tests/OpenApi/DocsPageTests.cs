using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.OpenApi;

public sealed class DocsPageTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("/docs")]
    [InlineData("/docs/index.html")]
    [InlineData("/docs/index.js")]
    [InlineData("/docs/swagger-ui-bundle.js")]
    [InlineData("/docs/swagger-ui.css")]
    public async Task The_page_and_all_its_parts_have_a_strict_content_security_policy(string path)
    {
        using var anybody = shop.App.CreateClient();
        using var response = await anybody.GetAsync(path);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        var policy = response.Headers.GetValues("Content-Security-Policy").Single();
        policy.ShouldStartWith("default-src 'none'; script-src 'self';");
        policy.ShouldContain("frame-ancestors 'none'");
        response.Headers.GetValues("X-Content-Type-Options").Single().ShouldBe("nosniff");
    }

    [Fact]
    public async Task The_page_loads_nothing_from_elsewhere_and_has_no_inline_script()
    {
        var page = await shop.Http.GetStringAsync("/docs/index.html");
        var settings = await shop.Http.GetStringAsync("/docs/index.js");

        page.ShouldNotContain("//");
        page.ShouldNotContain("<style");
        page.Split("<script").Skip(1).ShouldAllBe(script => script.StartsWith(" src=\"", StringComparison.Ordinal));
        settings.ShouldContain("/openapi/v1.json");
        settings.ShouldNotContain("\"validatorUrl\":");
    }

    [Fact]
    public async Task Clients_that_do_not_read_the_page_take_a_bounded_part_of_the_memory()
    {
        var stalled = new List<Socket?>();
        try
        {
            await Eventually.Holds(
                async () =>
                {
                    stalled.Add(await StalledClient.ConnectAsync(shop.Http, "/docs/swagger-ui-bundle.js"));
                    return stalled[^1] is null;
                },
                "one more is refused");
            stalled.Count.ShouldBe(33);
            await (await shop.Http.GetAsync("docs/index.html"))
                .ShouldBeProblemAsync(HttpStatusCode.TooManyRequests, "rate.exceeded");
        }
        finally
        {
            stalled.ForEach(socket => socket?.Dispose());
        }

        await Eventually.Holds(
            async () => (await shop.Http.GetAsync("docs/index.html")).IsSuccessStatusCode,
            "a client that went away gives its place back");
    }

    [Theory]
    [InlineData("storefront/storefront.js")]
    [InlineData("products/7")]
    public async Task Long_conditions_are_ignored(string path)
    {
        using var first = await shop.Http.GetAsync(path);
        var etag = first.Headers.ETag!.ToString();

        (await StatusAsync("If-None-Match", $"{etag}{Others(20)}")).ShouldBe(HttpStatusCode.NotModified);
        (await StatusAsync("If-None-Match", $"{etag}{Others(30)}")).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync("If-Match", $"\"0\"{Others(30)}")).ShouldBe(HttpStatusCode.OK);

        static string Others(int count) => string.Concat(Enumerable.Repeat(", \"other\"", count));

        async Task<HttpStatusCode> StatusAsync(string header, string value)
        {
            using var response = await shop.Http.GetAsync(path, header, value);
            return response.StatusCode;
        }
    }

    [Theory]
    [InlineData("storefront/storefront.css")]
    [InlineData("docs/swagger-ui.css")]
    public async Task A_long_list_of_codings_is_ignored(string path)
    {
        using var compressed = await shop.Http.GetAsync(path, "Accept-Encoding", "gzip");
        using var plain = await shop.Http.GetAsync(
            path, "Accept-Encoding", string.Join(", ", Enumerable.Repeat("gzip", 60)));

        compressed.Content.Headers.ContentEncoding.ShouldBe(["gzip"]);
        plain.Content.Headers.ContentEncoding.ShouldBeEmpty();
    }

    [Fact]
    public async Task Disabled_docs_are_not_found()
    {
        await using var closed = new QueriesApp(shop.Database.Queries).With("Docs:Enabled", "false");
        using var http = closed.CreateClient();

        await (await http.GetAsync("docs/index.html")).ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
        await (await http.GetAsync("openapi/v1.json")).ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
    }
}
