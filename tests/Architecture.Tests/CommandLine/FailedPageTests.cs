using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>A list ends at a page that the API refuses; it does not begin again, which would repeat replays.</summary>
public sealed class FailedPageTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("list", 1)]
    [InlineData("list", 2)]
    [InlineData("replay all", 1)]
    [InlineData("replay all", 2)]
    public async Task A_refused_page_ends_the_list(string command, int page)
    {
        var result = await ListAsync(command, page, """{"detail":"No log.","code":"log.unavailable"}\n503""");
        result.ExitCode.ShouldBe(1);
        result.Output.ShouldBeEmpty();
        result.Error.ShouldContain("No log. (503 log.unavailable)");
        result.Error.ShouldNotContain("did not send a page");
        script.Read("requests").Split('\n').Length.ShouldBe(page + 1, "one line for each page");
    }

    [Fact]
    public async Task A_response_that_is_no_page_ends_the_list()
    {
        var result = await ListAsync("list", 2, """<html></html>\n200""");
        result.ExitCode.ShouldBe(1);
        result.Error.ShouldContain("did not send a page");
        script.Read("requests").Split('\n').Length.ShouldBe(3);
    }

    // Every page has a next one; the page with this number is another response.
    private Task<ProgramRun> ListAsync(string command, int page, string response)
    {
        script.WriteProgram("curl", $$"""
            echo "$*" >>"$ROOT/requests"
            (($(wc -l <"$ROOT/requests") == {{page}})) && printf '{{response}}' ||
              printf '{"items":[],"next":5}\n200'
            """);
        return script.CallAsync($"is_running() {{ :; }}\nrun_verb dlq {command}");
    }
}
