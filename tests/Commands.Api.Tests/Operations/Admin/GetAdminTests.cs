using System.Net;

namespace ApexShop.Commands.Api.Tests.Operations.Admin;

public sealed class GetAdminTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("/admin")]
    [InlineData("/admin?view=orders&id=3")]
    public async Task The_page_is_public_and_may_send_requests_to_one_other_origin(string path)
    {
        using var anybody = app.ClientWith(null);
        using var answer = await anybody.GetAsync(path);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        var policy = string.Join(' ', answer.Headers.GetValues("Content-Security-Policy"));
        policy.ShouldStartWith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self' https://shop.example; ");
        policy.ShouldContain("require-trusted-types-for 'script'; trusted-types 'none'");
        policy.ShouldNotContain("unsafe");
        var html = await answer.Content.ReadAsStringAsync();
        html.ShouldContain("data-queries=\"https://shop.example/q\"");
        html.ShouldNotContain("{{");
    }

    [Theory]
    [InlineData("/console/admin/admin.js", "text/javascript")]
    [InlineData("/console/admin/admin.css", "text/css")]
    public async Task Its_files_are_files_of_the_console(string path, string mediaType)
    {
        using var anybody = app.ClientWith(null);
        using var answer = await anybody.GetAsync(path);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe(mediaType);
    }

    [Theory]
    [InlineData("/admin/admin.js")]
    [InlineData("/console/admin/index.html")]
    public async Task The_page_has_one_address(string path) =>
        (await Answer.ReadAsync(await app.Http.GetAsync(path)))
            .ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
}
