using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>`clean` deletes after a yes only: on the terminal, or as an option.</summary>
public sealed class CleanTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task Without_a_terminal_it_needs_the_option_yes()
    {
        var before = script.State;
        var refused = await script.RunAsync("clean");
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("--yes");
        script.State.ShouldBe(before);

        (await script.RunAsync("clean", "--yes")).ExitCode.ShouldBe(0);
        ItIsDeleted();
    }

    [Theory]
    [InlineData("n")]
    [InlineData("")]
    [InlineData("yess")]
    public async Task Another_answer_on_the_terminal_deletes_nothing(string answer)
    {
        var before = script.State;
        var refused = await AnswerAsync(answer);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Output.ShouldContain("[y/N]");
        refused.Output.ShouldContain("Nothing was done.");
        script.State.ShouldBe(before);
    }

    [Theory]
    [InlineData("y")]
    [InlineData("Yes")]
    public async Task A_yes_on_the_terminal_deletes(string answer)
    {
        var cleaned = await AnswerAsync(answer);
        cleaned.ExitCode.ShouldBe(0, cleaned.Output);
        cleaned.Output.ShouldContain(script.At(".local"), Case.Sensitive, "the question names what is deleted");
        ItIsDeleted();
    }

    // `script` of util-linux runs the command on a pseudo-terminal and types its own input there.
    private Task<ProgramRun> AnswerAsync(string answer) => script.CallAsync($$"""
        export ROOT SHELL=/bin/bash
        script -qec 'bash "$ROOT/apexshop" clean' /dev/null <<<'{{answer}}'
        """);

    private void ItIsDeleted()
    {
        Directory.Exists(script.At(".local")).ShouldBeFalse();
        Directory.Exists(script.At("src/Shared/bin")).ShouldBeFalse();
    }
}
