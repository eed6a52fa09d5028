using System.Net;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

public sealed class GetConsoleTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("/console", "text/html")]
    [InlineData("/console/", "text/html")]
    [InlineData("/console/index.html", "text/html")]
    [InlineData("/console/console.css", "text/css")]
    [InlineData("/console/console.js", "text/javascript")]
    [InlineData("/console/icon.svg", "image/svg+xml")]
    public async Task The_page_is_public_has_a_strict_policy_and_is_not_sent_again_when_unchanged(
        string path, string mediaType)
    {
        using var anybody = app.ClientWith(null);
        using var answer = await anybody.GetAsync(path);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe(mediaType);
        var policy = Header(answer, "Content-Security-Policy");
        policy.ShouldStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
        policy.ShouldContain("require-trusted-types-for 'script'; trusted-types 'none'");
        policy.ShouldNotContain("unsafe");
        Header(answer, "X-Content-Type-Options").ShouldBe("nosniff");
        Header(answer, "Referrer-Policy").ShouldBe("no-referrer");
        Header(answer, "Cache-Control").ShouldBe("no-cache");

        using var again = new HttpRequestMessage(HttpMethod.Get, path);
        again.Headers.IfNoneMatch.Add(answer.Headers.ETag!);
        using var same = await anybody.SendAsync(again);
        same.StatusCode.ShouldBe(HttpStatusCode.NotModified);
    }

    [Theory]
    [InlineData("/console/none.js")]
    [InlineData("/console/Page/index.html")]
    [InlineData("/console/%2e%2e/appsettings.json")]
    public async Task Only_the_files_of_the_page_are_served(string path) =>
        (await Answer.ReadAsync(await app.Http.GetAsync(path)))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");

    private static string Header(HttpResponseMessage answer, string name) =>
        string.Join(", ", answer.Headers.GetValues(name));
}
