namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>The key of operators is sent, and is no argument of a program: `ps` shows those to every user.</summary>
public sealed class OperatorKeyTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("dlq list")]
    [InlineData("rebuild status")]
    [InlineData("audit")]
    [InlineData("seed")]
    public async Task The_key_is_read_from_a_file(string verb)
    {
        script.WriteProgram("curl", """
            echo "$*" >"$ROOT/arguments"
            for word in "$@"; do [[ $word != @* ]] || cat "${word#@}" >"$ROOT/header"; done
            printf '{"next":null}\n200'
            """);
        await script.CallAsync($$"""
            for name in is_running find_postgres all_projected; do eval "$name() { :; }"; done
            log_head() { echo 1; }
            run_verb {{verb}}
            """);
        script.Read("header").ShouldBe("Authorization: Bearer kept\n");
        script.Read("arguments").ShouldContain("/admin/");
        script.Read("arguments").ShouldNotContain("kept");
    }
}
