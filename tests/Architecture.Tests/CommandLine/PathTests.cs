namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>The shop runs from a folder with a space in its name.</summary>
public sealed class PathTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task The_configuration_of_Redis_quotes_its_folder()
    {
        var copied = await script.CallAsync("""
            mkdir -p "$ROOT/deploy/compose/redis" && touch "$ROOT/deploy/compose/redis/redis.conf"
            launch() { :; }
            APEXSHOP_REDIS_PORT=1 REDIS_PASSWORD=x REDIS_BIN=/none
            start_redis redis
            grep '^dir ' "$STATE/redis/redis.conf"
            """);
        copied.Output.ShouldBe($"dir \"{script.At(".local/redis")}\"\n", copied.Error);
    }

    [Fact]
    public async Task A_word_with_a_space_selects_tests()
    {
        var ran = await script.CallAsync("""
            dotnet() { printf '%s\n' "$@" >"$ROOT/arguments"; }
            PASSED=0 FAILED=0 SKIPPED=0
            run_suite Shared.Tests 'two words' >/dev/null
            grep words "$ROOT/arguments"
            """);
        ran.Output.ShouldBe("FullyQualifiedName~two words\n", ran.Error);
    }
}
