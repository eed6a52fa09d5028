using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>An installation starts no service, and disables only those that it has enabled.</summary>
public sealed class InstallationTests : IDisposable
{
    // systemd, whose enabled units are the lines of a file.
    private const string System = """
        load_settings
        has_systemd() { :; }
        POLICY=$ROOT/policy-rc.d

        """;

    private const string Install = System + """
        step "Installing" "$STATE/log/apt-install.log" apt_install '' etcd-server haproxy
        """;

    private readonly ScriptCopy script = new();

    public InstallationTests()
    {
        script.Write("enabled", "haproxy.service enabled enabled\nssh.service enabled enabled\n");
        script.WriteProgram("systemctl", """
            if [[ $1 == list-unit-files ]]; then cat "$ROOT/enabled"; else echo "$*" >>"$ROOT/changed"; fi
            """);
    }

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task Only_units_that_it_has_enabled_are_disabled_also_those_of_dependencies()
    {
        script.WriteProgram("apt-get", """
            cp "$ROOT/policy-rc.d" "$ROOT/policy-meanwhile"
            sed -i '1i epmd.socket enabled enabled\netcd.service enabled enabled' "$ROOT/enabled"
            """);
        await SucceedsAsync();
        script.Read("changed").ShouldBe("disable --now epmd.socket etcd.service\n");
        script.Read("policy-meanwhile").ShouldStartWith("#!/bin/sh\n");
        script.Read("policy-meanwhile").ShouldEndWith("\nexit 101\n");
        File.Exists(script.At("policy-rc.d")).ShouldBeFalse();

        script.WriteProgram("apt-get", "exit 0");
        File.Delete(script.At("changed"));
        await SucceedsAsync();
        File.Exists(script.At("changed")).ShouldBeFalse("nothing was enabled");
    }

    [Theory]
    [InlineData("need_chromium")]
    [InlineData("need_prometheus")]
    [InlineData("add_pgbackrest")]
    [InlineData("need_sample_tools")]
    [InlineData("attempt need_engine")]
    public async Task What_only_some_tests_need_may_fail_to_be_installed(string statement)
    {
        script.WriteProgram("npm", "exit 1");
        script.WriteProgram("sudo", "exit 1");
        var run = await script.CallAsync($$"""
            load_settings
            TEST_HOME=$STATE
            command() { [[ $2 == apt-get || $2 == sudo || $2 == npm ]]; }
            has_python_module() { return 1; }
            can_run_engine() { :; }
            grep() { return 1; }
            {{statement}}
            echo 'the tests go on'
            """);
        (run.ExitCode, run.Output.EndsWith("the tests go on\n")).ShouldBe((0, true), run.Output + run.Error);
        run.Error.ShouldNotBeEmpty("the failure is printed");
    }

    [Fact]
    public async Task Packages_of_npm_that_are_incomplete_are_installed_again_and_once_more_after_a_failure()
    {
        script.Write("clients/npm/node_modules/one/index.js", "");
        script.Write("samples/stock-watcher-node/node_modules/.package-lock.json", "{}");
        script.WriteProgram("npm", """
            echo "$3" >>"$ROOT/installed"
            exit 1
            """);
        var run = await script.CallAsync("""
            load_settings
            mkdir -p "$STATE/log"
            has_npm() { :; }
            has_python_module() { :; }
            need_sample_tools
            """);
        run.ExitCode.ShouldBe(0, run.Output + run.Error);
        script.Read("installed").ShouldBe($"{script.At("clients/npm")}\n{script.At("clients/npm")}\n");
    }

    [Fact]
    public async Task It_does_not_begin_when_the_enabled_units_are_unknown()
    {
        script.WriteProgram("systemctl", "exit 1");
        script.WriteProgram("apt-get", "touch \"$ROOT/installed\"");
        (await script.CallAsync(Install)).ExitCode.ShouldBe(1);
        File.Exists(script.At("installed")).ShouldBeFalse();
        File.Exists(script.At("policy-rc.d")).ShouldBeFalse();
    }

    [Fact]
    public async Task An_interrupted_or_failed_one_leaves_no_policy_and_no_new_service()
    {
        const string enables = "echo 'redis.service enabled enabled' >>\"$ROOT/enabled\"\n";
        script.WriteProgram("apt-get", enables + "exit 100");
        (await script.CallAsync(Install)).ExitCode.ShouldBe(1);
        IsUndone();

        script.WriteProgram("apt-get", enables + "touch \"$ROOT/waits\"\nsleep 60");
        var interrupted = await script.CallAsync($"on_interrupt later\n{Install}", script.InterruptAsync);
        interrupted.ExitCode.ShouldBe(130, interrupted.Error);
        IsUndone();

        void IsUndone()
        {
            File.Exists(script.At("policy-rc.d")).ShouldBeFalse();
            script.Read("changed").ShouldBe("disable --now redis.service\n");
            File.Delete(script.At("changed"));
            script.Write("enabled", "ssh.service enabled enabled\n");
        }
    }

    [Fact]
    public async Task The_policy_of_a_killed_one_is_removed_and_that_of_the_system_stays()
    {
        script.WriteProgram("apt-get", "touch \"$ROOT/waits\"\nsleep 60");
        await script.CallAsync(Install, KillAsync);
        File.Exists(script.At("policy-rc.d")).ShouldBeTrue();

        script.WriteProgram("apt-get", "exit 0");
        await SucceedsAsync();
        File.Exists(script.At("policy-rc.d")).ShouldBeFalse();

        const string own = "#!/bin/sh\nexit 101\n";
        script.Write("policy-rc.d", own);
        await SucceedsAsync();
        script.Read("policy-rc.d").ShouldBe(own);
    }

    private async Task KillAsync(Process running)
    {
        await Eventually.Holds(() => Task.FromResult(File.Exists(script.At("waits"))), "packages are installed");
        running.Kill(entireProcessTree: true);
    }

    private async Task SucceedsAsync()
    {
        var run = await script.CallAsync(Install);
        run.ExitCode.ShouldBe(0, run.Output + run.Error);
    }
}
