using ApexShop.Commands.Api.Tests.Hosting;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.Commands.Api.Tests.HttpFiles;

public sealed class HttpFileTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_files_run_from_top_to_bottom_on_an_empty_shop_and_again_on_a_seeded_one()
    {
        CommandsFiles.All.Count.ShouldBeGreaterThanOrEqualTo(6);
        var run = new HttpFileRunner(app.Http, CommandsApp.Key);
        var seeding = CommandsFiles.All.Single(CommandsFiles.Seeds);

        foreach (var file in CommandsFiles.All.Where(file => file != seeding)) await run.RunAsync(file);
        await run.RunAsync(seeding);
        foreach (var file in CommandsFiles.All) await run.RunAsync(file);
    }

    [Fact]
    public void Every_endpoint_has_a_request_that_succeeds()
    {
        var lines = app.Lines();
        var requested = CommandsFiles.All.SelectMany(file => file.Requests).Where(request => request.Status is null)
            .Select(request =>
                lines.Where(line => line.Method == request.Method && HttpFile.Reaches(line.Pattern, request.Url))
                    .MinBy(Parameters)?.Name)
            .ToHashSet();

        lines.Where(line => !requested.Contains(line.Name)).Select(line => $"{line.Method} {line.Pattern}")
            .ShouldBeEmpty();
        requested.ShouldNotContain((string?)null);
    }

    [Fact]
    public void A_file_says_where_the_API_is_and_which_key_is_used() =>
        CommandsFiles.All.ShouldAllBe(file =>
            file.Variables["host"] == "http://localhost:5100"
                && file.Variables["key"] == "{{$processEnv ADMIN_KEY}}");

    [Fact]
    public void A_request_is_read_with_its_name_its_refusal_its_headers_and_its_body()
    {
        var file = HttpFile.Parse(
            "x.http",
            "# About\n@host = http://h\n\n### One\n# @name one\n# expect 409 a.b\nPOST {{host}}/x\nA: b: "
            + "c\n\n{\n\n}\n\n###\nGET {{host}}/y\n");

        file.Variables["host"].ShouldBe("http://h");
        file.Requests.Count.ShouldBe(2);
        var one = file.Requests[0];
        (one.Title, one.Name, one.Status, one.Code, one.Method, one.Url, one.Body)
            .ShouldBe(("One", "one", 409, "a.b", "POST", "{{host}}/x", "{\n\n}"));
        one.Headers.ShouldBe([("A", "b: c")]);
        (file.Requests[1].Name, file.Requests[1].Status, file.Requests[1].Body).ShouldBe((null, null, null));
    }

    // Of two patterns the one with more words of its own is meant: /products/bulk is no id.
    private static int Parameters(EndpointLine line) => line.Pattern.Count(character => character == '{');
}
