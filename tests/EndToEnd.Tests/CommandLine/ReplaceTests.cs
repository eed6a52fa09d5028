namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>deploy/compose/replace.sh deletes no volume unless the two other servers do their work.</summary>
public sealed class ReplaceTests : IDisposable
{
    // `docker` writes its arguments to a file, and responds as each kind of server does, except one that is silent.
    private const string Docker = """
        mkdir "$STATE/programs"
        export CALLS=$STATE/calls SILENT
        cat >"$STATE/programs/docker" <<'SH'
        #!/bin/bash
        echo "$*" >>"$CALLS"
        [[ $* == 'compose exec '* ]] || exit 0
        [[ $* != "compose exec -T $SILENT "* ]] || exit 1
        # The script reads only as far as it needs.
        printf '%s\n' '{"health":"true"}' streaming PONG 2>/dev/null
        SH
        # Time passes by each look at the clock.
        printf '#!/bin/sh\n' >"$STATE/programs/sleep"
        printf '#!/bin/sh\necho >>"%s"; expr 10 \\* $(wc -l <"%s")\n' "$STATE/clock" "$STATE/clock" \
          >"$STATE/programs/date"
        chmod +x "$STATE/programs/"*
        PATH=$STATE/programs:$PATH

        """;

    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("etcd", "etcd-3")]
    [InlineData("postgres-2", "postgres")]
    [InlineData("rabbitmq-3", "rabbitmq-2")]
    [InlineData("redis", "redis-2")]
    [InlineData("sentinel-2", "sentinel-3")]
    public async Task The_two_others_are_asked_first(string service, string silent)
    {
        var run = await script.RunAsync($$"""
            SILENT={{silent}}
            {{Docker}}sh "$ROOT/deploy/compose/replace.sh" {{service}} || echo "refused"
            ! grep -E '^(compose rm|volume)' "$CALLS" || echo "deleted"
            SILENT=none
            sh "$ROOT/deploy/compose/replace.sh" {{service}}
            grep -cE '^(compose rm -fsv {{service}}|volume rm -f .*-data)$' "$CALLS"
            """);

        run.Error.ShouldBe($"Nothing was changed: {silent} does not do its work.\n");
        run.Output.ShouldContain("refused\n");
        run.Output.ShouldNotContain("deleted");
        run.Output.ShouldEndWith("\n2\n");
    }
}
