using System.Net;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Operations;
using ApexShop.Commands.Api.Tests.Hosting;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.OpenApi;

public sealed class DocsPageTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=none;Timeout=1";

    [Theory]
    [InlineData("/docs")]
    [InlineData("/docs/index.html")]
    [InlineData("/docs/index.js")]
    [InlineData("/docs/swagger-ui-bundle.js")]
    [InlineData("/docs/swagger-ui.css")]
    public async Task The_page_and_all_its_parts_have_a_strict_content_security_policy(string path)
    {
        using var anybody = app.ClientWith(null);
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
        var page = await app.Http.GetStringAsync("/docs/index.html");
        var settings = await app.Http.GetStringAsync("/docs/index.js");

        page.ShouldNotContain("//");
        page.ShouldNotContain("<style");
        page.Split("<script").Skip(1).ShouldAllBe(script => script.StartsWith(" src=\"", StringComparison.Ordinal));
        settings.ShouldContain("/openapi/v1.json");
        settings.ShouldNotContain("\"validatorUrl\":");
    }

    [Theory]
    [InlineData("/console")]
    [InlineData("/openapi/v1.json")]
    public async Task Long_conditions_are_ignored(string path)
    {
        using var first = await app.Http.GetAsync(path);

        (await StatusAsync(20)).ShouldBe(HttpStatusCode.NotModified);
        (await StatusAsync(30)).ShouldBe(HttpStatusCode.OK);

        async Task<HttpStatusCode> StatusAsync(int others)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            var known = $"{first.Headers.ETag}{string.Concat(Enumerable.Repeat(", \"other\"", others))}";
            request.Headers.TryAddWithoutValidation("If-None-Match", known).ShouldBeTrue();
            using var response = await app.Http.SendAsync(request);
            return response.StatusCode;
        }
    }

    [Fact]
    public async Task Disabled_docs_are_not_found()
    {
        await using var closed = CommandsApp.Start(Unavailable, ("Docs:Enabled", "false"));
        using var http = CommandsApp.Client(closed, CommandsApp.Key);

        (await Answer.ReadAsync(await http.GetAsync("/docs/index.html")))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
        (await Answer.ReadAsync(await http.GetAsync("/openapi/v1.json")))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
    }

    [Fact]
    public void The_comment_of_a_slice_starts_with_its_route()
    {
        var comments = new SliceComments();
        var endpoints = app.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .Select(
                endpoint => (
                    endpoint.Metadata.GetMetadata<System.Reflection.MethodInfo>()?.DeclaringType,
                    endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()!.EndpointName))
            .Where(endpoint =>
                endpoint.DeclaringType is not null
                    && endpoint.EndpointName is not (DocsRoutes.Name or AsyncApiRoutes.Name)
                    && ProjectorRoutes.All.All(route => route.Name != endpoint.EndpointName)).ToList();

        endpoints.Count.ShouldBeGreaterThan(15);
        foreach (var (slice, name) in endpoints)
        {
            var line = app.Lines().Single(one => one.Name == name);
            var said = comments.Of(slice!)!.Split(": ")[0].Split('?')[0];
            said.ShouldBe($"{line.Method} {line.Pattern}");
            slice!.Name.ShouldBe(name);
        }
    }
}
