using System.Net;

namespace ApexShop.Queries.Api.Tests.Hosting;

public sealed class MethodTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("health/live")]
    [InlineData("health/ready")]
    [InlineData("metrics")]
    [InlineData("limits")]
    [InlineData("openapi/v1.json")]
    [InlineData("docs/index.html")]
    [InlineData("")]
    public async Task HEAD_of_every_GET_has_its_headers(string path)
    {
        using var get = await shop.Http.GetAsync(path);
        using var head = await SendAsync(HttpMethod.Head, path);

        head.StatusCode.ShouldBe(get.StatusCode);
        head.Content.Headers.ContentType.ShouldBe(get.Content.Headers.ContentType);
        (await head.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("products")]
    [InlineData("orders/7")]
    [InlineData("users/stream")]
    [InlineData("health/live")]
    [InlineData("docs/index.html")]
    [InlineData("")]
    public async Task OPTIONS_names_the_methods_of_a_path(string path)
    {
        using var response = await SendAsync(HttpMethod.Options, path);

        response.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        response.Content.Headers.Allow.ShouldBe(["GET", "HEAD", "OPTIONS"]);
        (await response.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("GET", "products/7")]
    [InlineData("GET", "products/v2")]
    [InlineData("GET", "products/stream")]
    [InlineData("GET", "products/999999")]
    [InlineData("GET", "products/v2?x=1")]
    [InlineData("POST", "products")]
    [InlineData("OPTIONS", "products")]
    [InlineData("GET", "nothing")]
    [InlineData("GET", "health/live")]
    [InlineData("GET", "health/ready")]
    [InlineData("GET", "openapi/v1.json")]
    [InlineData("GET", "")]
    public async Task Every_response_forbids_to_guess_its_media_type(string method, string path)
    {
        using var response = await SendAsync(HttpMethod.Parse(method), path);

        response.Headers.GetValues("X-Content-Type-Options").ShouldBe(["nosniff"]);
    }

    [Theory]
    [InlineData("nothing", HttpStatusCode.NotFound, "path.unknown")]
    [InlineData("products/999999", HttpStatusCode.NotFound, "document.not_found")]
    [InlineData("products/v2?x=1", HttpStatusCode.BadRequest, "query.invalid")]
    public async Task Every_problem_has_a_type(string path, HttpStatusCode status, string code)
    {
        using var response = await shop.Http.GetAsync(path);
        var problem = await response.ShouldBeProblemAsync(status, code);
        problem.GetProperty("type").GetString()!.ShouldStartWith("https://tools.ietf.org/html/rfc9110#section-15.5.");
    }

    [Fact]
    public async Task Another_host_than_the_allowed_ones_is_refused()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("AllowedHosts", "shop.example");
        using var http = app.CreateClient();
        foreach (var (host, status) in
            new[] { ("shop.example", HttpStatusCode.OK), ("evil.example", HttpStatusCode.BadRequest) })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "limits");
            request.Headers.Host = host;
            using var response = await http.SendAsync(request);

            response.StatusCode.ShouldBe(status, host);
            if (status != HttpStatusCode.OK) (await response.Content.ReadAsStringAsync()).ShouldBeEmpty();
        }
    }

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, path);
        return await shop.Http.SendAsync(request);
    }
}
