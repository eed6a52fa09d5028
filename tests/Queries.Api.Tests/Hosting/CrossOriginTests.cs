using System.Net;
using ApexShop.Hosting;

namespace ApexShop.Queries.Api.Tests.Hosting;

public sealed class CrossOriginTests(CrossOriginTests.Shop shop) : IClassFixture<CrossOriginTests.Shop>
{
    private const string Known = "https://shop.example";

    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) => queries.With("Cors:Origins:0", Known);
    }

    [Theory]
    [InlineData("products/1", HttpStatusCode.OK)]
    [InlineData("products/stream?limit=1", HttpStatusCode.OK)]
    [InlineData("products/2147483647", HttpStatusCode.NotFound)]
    [InlineData("products?page=0", HttpStatusCode.BadRequest)]
    [InlineData("orders/1", HttpStatusCode.Unauthorized)]
    [InlineData("nowhere", HttpStatusCode.NotFound)]
    public async Task A_page_of_a_configured_origin_may_read_every_response_and_the_exposed_headers(
        string path, HttpStatusCode status)
    {
        using var anybody = shop.App.CreateClient();
        using var answer = await anybody.GetAsync(path, "Origin", Known);

        answer.StatusCode.ShouldBe(status);
        Header(answer, "Access-Control-Allow-Origin").ShouldBe(Known);
        var exposed = Header(answer, "Access-Control-Expose-Headers")!.Split(',');
        exposed.ShouldBeSubsetOf(
            [
                "ETag", "Link", "Consistency-Token", "Retry-After", "RateLimit", "RateLimit-Policy", "Deprecation",
                "Sunset", "Content-Disposition", "Export-Limit", "WWW-Authenticate",
            ]);
        exposed.Length.ShouldBe(11);
        Header(answer, "Access-Control-Allow-Credentials").ShouldBeNull();
        answer.Headers.Vary.ShouldContain("Origin");
    }

    [Theory]
    [InlineData("https://evil.example")]
    [InlineData("http://shop.example")]
    [InlineData("https://shop.example:8443")]
    [InlineData("http://localhost:3000")]
    [InlineData("null")]
    public async Task A_page_of_any_other_origin_may_read_nothing(string origin)
    {
        using var answer = await shop.Http.GetAsync("products/1", "Origin", origin);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        Header(answer, "Access-Control-Allow-Origin").ShouldBeNull();
        Header(await PreflightAsync(shop.Http, origin, "GET", "if-none-match"), "Access-Control-Allow-Origin")
            .ShouldBeNull();
    }

    [Fact]
    public async Task A_preflight_allows_the_headers_of_a_query_and_needs_no_key()
    {
        using var anybody = shop.App.CreateClient();
        using var answer = await PreflightAsync(anybody, Known, "GET", "authorization,consistency-token,if-none-match");

        answer.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        Header(answer, "Access-Control-Allow-Origin").ShouldBe(Known);
        Header(answer, "Access-Control-Allow-Methods")!.Split(',').ShouldBe(["GET", "HEAD"], ignoreOrder: true);
        Header(answer, "Access-Control-Allow-Headers")!.Split(',')
            .ShouldBe(["Accept", "Authorization", "If-None-Match", "Consistency-Token"], ignoreOrder: true);
        Header(answer, "Access-Control-Max-Age").ShouldBe("3600");
        Header(answer, "Access-Control-Allow-Credentials").ShouldBeNull();
    }

    [Fact]
    public async Task In_Development_pages_of_this_machine_may_read_and_no_others()
    {
        await using var app = new QueriesApp(shop.Database.Queries) { Environment = "Development" };
        using var http = app.CreateClient();
        foreach (var origin in (string[])["http://localhost:3000", "http://127.0.0.1:8080", "https://localhost"])
        {
            using var answer = await http.GetAsync("products/1", "Origin", origin);
            Header(answer, "Access-Control-Allow-Origin").ShouldBe(origin);
        }

        using var foreign = await http.GetAsync("products/1", "Origin", "http://localhost.evil.example");
        Header(foreign, "Access-Control-Allow-Origin").ShouldBeNull();
    }

    [Theory]
    [InlineData("*")]
    [InlineData("shop.example")]
    [InlineData("https://shop.example/")]
    [InlineData("ftp://shop.example")]
    public void An_invalid_origin_is_an_invalid_configuration(string origin) =>
        new CorsSettingsValidator()
            .Validate(null, new CorsSettings { Origins = [Known, origin] }).FailureMessage!.ShouldContain(origin);

    private static async Task<HttpResponseMessage> PreflightAsync(
        HttpClient http, string origin, string method, string headers)
    {
        using var request = new HttpRequestMessage(HttpMethod.Options, "products/v2");
        request.Headers.Add("Origin", origin);
        request.Headers.Add("Access-Control-Request-Method", method);
        request.Headers.Add("Access-Control-Request-Headers", headers);
        return await http.SendAsync(request);
    }

    private static string? Header(HttpResponseMessage answer, string name) =>
        answer.Headers.TryGetValues(name, out var values) ? string.Join(",", values) : null;
}
