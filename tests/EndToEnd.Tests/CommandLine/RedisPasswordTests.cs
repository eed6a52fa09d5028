using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>Every user of a machine can list the arguments of its processes.</summary>
public sealed class RedisPasswordTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    /// <summary>The command of the container, with another path and a port.</summary>
    [Fact]
    public async Task Redis_reads_its_password_from_its_standard_input()
    {
        var run = await script.RunAsync($$"""
            port={{Loopback.FreePort()}}
            cd "$ROOT/deploy/compose"
            sed -n '/exec redis-server/,/CONF$/s/^ *//p' compose.servers.yaml |
              sed -e "s:/etc/:redis/:; 1a port $port" -e 's/[$][$]/$/' >"$STATE/command"
            REDISCLI_AUTH=secret sh "$STATE/command" >"$STATE/log" &
            trap 'kill $!' EXIT
            until redis-cli -p $port ping >"$STATE/refused" 2>/dev/null; do kill -0 $!; sleep 0.1; done
            cat "$STATE/refused"
            export REDISCLI_AUTH=secret
            redis-cli -p $port ping
            redis-cli -p $port config get maxmemory
            """);

        run.Output.ShouldStartWith("NOAUTH Authentication required.", Case.Sensitive, run.Text);
        run.Output.ShouldEndWith("\nPONG\nmaxmemory\n268435456\n", Case.Sensitive, run.Text);
    }

    [Fact]
    public async Task No_password_of_Redis_is_an_argument()
    {
        var run = await script.RunAsync("""
            cd "$ROOT"
            grep -rEc -e '--(requirepass|masterauth)' deploy/compose eng/cli | grep -v ':0$' || true
            """);

        run.Text.Trim().ShouldBeEmpty();
    }
}
