using System.Net;
using ApexShop.Commands.Api.Hosting;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class MethodTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task HEAD_of_every_GET_has_its_status_and_no_body()
    {
        string[] paths =
        [
            .. app.Lines().Where(line => line.Method == "GET" && !line.Path.Contains('*', StringComparison.Ordinal))
                .Select(line => line.Path),
            "/console", "/docs/index.html",
        ];
        paths.Length.ShouldBeGreaterThan(15);
        foreach (var path in paths)
        {
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            using var head = await SendAsync(HttpMethod.Head, path, limit.Token);
            head.StatusCode.ShouldNotBe(HttpStatusCode.MethodNotAllowed, path);
            head.StatusCode.ShouldNotBe(HttpStatusCode.InternalServerError, path);
            (await head.Content.ReadAsByteArrayAsync(limit.Token)).ShouldBeEmpty(path);

            using var get = await SendAsync(HttpMethod.Get, path, limit.Token);
            head.StatusCode.ShouldBe(get.StatusCode, path);
            head.Content.Headers.ContentType.ShouldBe(get.Content.Headers.ContentType, path);
            head.Headers.ETag.ShouldBe(get.Headers.ETag, path);
        }
    }

    [Theory]
    [InlineData("/events", "application/x-ndjson")]
    [InlineData("/events/live", "text/event-stream")]
    public async Task HEAD_of_a_stream_has_its_headers_and_reads_no_event(string path, string type)
    {
        using var head = await SendAsync(HttpMethod.Head, path, default);
        using var anonymous = app.ClientWith(null);
        using var request = new HttpRequestMessage(HttpMethod.Head, path);
        using var refused = await anonymous.SendAsync(request);

        head.StatusCode.ShouldBe(HttpStatusCode.OK);
        head.Content.Headers.ContentType!.MediaType.ShouldBe(type);
        using var get = await SendAsync(HttpMethod.Get, path, default);
        foreach (var name in (string[])["Log-Head", "Log-Id", "Cache-Control"])
            head.Headers.GetValues(name).ShouldBe(get.Headers.GetValues(name), name);
        refused.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Theory]
    [InlineData("/events?afterr=5")]
    [InlineData("/events?after=five")]
    [InlineData("/events?after=9&log=another")]
    [InlineData("/events/live?types=apexshop.nothing")]
    [InlineData("/events/live?after=9&log=another")]
    public async Task HEAD_of_a_stream_is_refused_as_its_GET(string path)
    {
        using var head = await SendAsync(HttpMethod.Head, path, default);
        using var get = await SendAsync(HttpMethod.Get, path, default);

        ((int)get.StatusCode).ShouldBeInRange(400, 410);
        head.StatusCode.ShouldBe(get.StatusCode);
        head.Headers.TryGetValues("Link", out var links).ShouldBe(get.Headers.Contains("Link"));
        (links ?? []).ShouldBe(get.Headers.TryGetValues("Link", out var expected) ? expected : []);
    }

    [Fact]
    public async Task No_cache_stores_the_response_to_a_GET_that_needs_a_scope()
    {
        var lines = app.Lines().Where(line => line.Method == "GET" && line.Needs != AccessMatrix.Public).ToList();
        lines.Count.ShouldBeGreaterThan(10);
        using var anonymous = app.ClientWith(null);
        foreach (var line in lines)
        {
            foreach (var http in (HttpClient[])[app.Http, anonymous])
            {
                using var response = await http.GetAsync(line.Path, HttpCompletionOption.ResponseHeadersRead);
                response.Headers.CacheControl.ShouldNotBeNull(line.Path).NoStore.ShouldBeTrue(line.Path);
            }
        }
    }

    [Theory]
    [InlineData("/products", "OPTIONS, POST")]
    [InlineData("/products/1", "DELETE, OPTIONS, PATCH, PUT")]
    [InlineData("/events", "GET, HEAD, OPTIONS")]
    [InlineData("/health/ready", "GET, HEAD, OPTIONS")]
    [InlineData("/admin/projections/rebuild", "GET, HEAD, OPTIONS, POST")]
    public async Task OPTIONS_names_the_methods_of_a_path_without_a_key(string path, string methods)
    {
        using var http = app.ClientWith(null);
        using var request = new HttpRequestMessage(HttpMethod.Options, path);
        using var response = await http.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        string.Join(", ", response.Content.Headers.Allow).ShouldBe(methods);
        response.Headers.Contains("Consistency-Token").ShouldBeFalse();
        (await response.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task OPTIONS_of_an_unknown_path_is_404_and_a_refused_method_names_the_others()
    {
        (await app.SendAsync(HttpMethod.Options, "/nothing", null))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
        using var response = await SendAsync(HttpMethod.Post, "/products/1", default);

        response.StatusCode.ShouldBe(HttpStatusCode.MethodNotAllowed);
        response.Content.Headers.Allow.ShouldBe(["DELETE", "OPTIONS", "PATCH", "PUT"]);
    }

    [Theory]
    [InlineData("GET", "/limits", null)]
    [InlineData("GET", "/health/live", null)]
    [InlineData("GET", "/health/ready", null)]
    [InlineData("GET", "/openapi/v1.json", null)]
    [InlineData("GET", "/docs/index.html", null)]
    [InlineData("GET", "/console", null)]
    [InlineData("GET", "/nothing", null)]
    [InlineData("GET", "/events", null)]
    [InlineData("OPTIONS", "/products", null)]
    [InlineData("POST", "/products", "{")]
    [InlineData("POST", "/products", "{}")]
    [InlineData("DELETE", "/orders/2147483647", null)]
    public async Task Every_response_forbids_to_guess_its_media_type(string method, string path, string? body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        if (body is not null) request.Content = new StringContent(body, null, "application/json");
        using var response = await app.Http.SendAsync(request);

        response.Headers.GetValues("X-Content-Type-Options").ShouldBe(["nosniff"]);
    }

    [Fact]
    public async Task Another_host_than_the_allowed_ones_is_refused()
    {
        await using var factory = CommandsApp.Start(app.Database.Commands, ("AllowedHosts", "shop.example;127.0.0.1"));
        using var http = CommandsApp.Client(factory, CommandsApp.Key);
        foreach (var (host, status) in new[]
        {
            ("shop.example", HttpStatusCode.OK), ("127.0.0.1", HttpStatusCode.OK),
            ("evil.example", HttpStatusCode.BadRequest),
        })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/limits");
            request.Headers.Host = host;
            using var response = await http.SendAsync(request);

            response.StatusCode.ShouldBe(status, host);
            if (status != HttpStatusCode.OK) (await response.Content.ReadAsStringAsync()).ShouldBeEmpty();
        }
    }

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(method, path);
        return await app.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
    }
}
