using System.Net;

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
    public async Task Disabled_docs_are_not_found()
    {
        await using var closed = new QueriesApp(shop.Database.Queries).With("Docs:Enabled", "false");
        using var http = closed.CreateClient();

        await (await http.GetAsync("docs/index.html")).ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
        await (await http.GetAsync("openapi/v1.json")).ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
    }
}
