using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>What the start of PostgreSQL does with the files that are in its data folder already.</summary>
public sealed class PostgresFolderTests : IDisposable
{
    // initdb, which refuses a folder that is not empty, and a server that does nothing.
    private const string Start = """
        load_settings
        ENGINE=native PG_BIN=/none PG_VERSION=16
        prepare_postgres_folder() { mkdir -p "$STATE/postgres/data"; }
        chown() { :; }
        launch_as_postgres() { :; }
        as_postgres() { [[ -z $(ls -A "$STATE/postgres/data") ]] && echo 16 >"$STATE/postgres/data/PG_VERSION"; }
        start_postgres
        cat "$STATE/postgres/version"
        """;

    private readonly ScriptCopy script = new();

    public PostgresFolderTests()
    {
        script.Write("deploy/compose/postgres/postgresql.conf", "");
        script.Write(".local/postgres/data/base/1/2619", "rows");
    }

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("before PG_VERSION was written")]
    [InlineData("after PG_VERSION was written")]
    public async Task What_an_interrupted_creation_has_left_is_removed(string when)
    {
        if (when.StartsWith("after", StringComparison.Ordinal))
        {
            // It ends before the file of the version has its name.
            var interrupted = await script.CallAsync("mv() { exit 1; }\n" + Start);
            interrupted.ExitCode.ShouldBe(1);
            File.Exists(script.At(".local/postgres/data/PG_VERSION")).ShouldBeTrue();
        }

        var started = await script.CallAsync(Start);
        started.ExitCode.ShouldBe(0, started.Output + started.Error);
        started.Output.ShouldEndWith("\n16\n");
        File.Exists(script.At(".local/postgres/data/base/1/2619")).ShouldBeFalse();
        File.Exists(script.At(".local/postgres/version.new")).ShouldBeFalse("the creation is complete");
    }

    [Fact]
    public async Task Complete_data_without_the_file_of_its_version_stays()
    {
        script.Write(".local/postgres/data/PG_VERSION", "15\n");
        var refused = await script.CallAsync(Start);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("postgres/version is missing");
        script.Read(".local/postgres/data/base/1/2619").ShouldBe("rows");

        // What the message names.
        File.Copy(script.At(".local/postgres/data/PG_VERSION"), script.At(".local/postgres/version"));
        (await script.CallAsync(Start)).Output.ShouldBe("15\n");
        script.Read(".local/postgres/data/base/1/2619").ShouldBe("rows");
    }
}
