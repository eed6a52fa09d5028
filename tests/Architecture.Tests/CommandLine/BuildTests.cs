using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>`up` builds the processes again when their sources are others than those of the last build.</summary>
public sealed class BuildTests : IDisposable
{
    private static readonly DateTime LongAgo = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly FakeShop shop = new();

    public BuildTests()
    {
        shop.Script.Write("Directory.Build.props", "<Project />");
        shop.Script.Write("src/Shared/Price.cs", "first");
    }

    public void Dispose() => shop.Dispose();

    [Fact]
    public async Task The_same_sources_are_built_once()
    {
        (await IsBuiltAsync()).ShouldBeFalse("nothing was built yet");
        await BuildAsync();
        File.SetLastWriteTimeUtc(shop.Script.At("src/Shared/Price.cs"), new(2100, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        shop.Script.Write("src/Shared/obj/made.cs", "by the build");
        (await IsBuiltAsync()).ShouldBeTrue();
    }

    [Fact]
    public async Task Another_version_with_older_times_is_built_and_the_compiler_sees_what_changed()
    {
        var (changed, same) = (shop.Script.At("src/Shared/Price.cs"), shop.Script.At("global.json"));
        await BuildAsync();
        shop.Script.Write("src/Shared/Price.cs", "other");
        foreach (var file in (string[])[changed, same]) File.SetLastWriteTimeUtc(file, LongAgo);
        (await IsBuiltAsync()).ShouldBeFalse();

        await BuildAsync();
        File.GetLastWriteTimeUtc(changed).ShouldBeGreaterThan(LongAgo);
        File.GetLastWriteTimeUtc(same).ShouldBe(LongAgo);
        (await IsBuiltAsync()).ShouldBeTrue();
    }

    [Fact]
    public async Task A_version_that_lacks_a_file_is_built()
    {
        shop.Script.Write("src/Shared/Tax.cs", "first");
        await BuildAsync();
        File.Delete(shop.Script.At("src/Shared/Tax.cs"));
        (await IsBuiltAsync()).ShouldBeFalse();
    }

    [Fact]
    public async Task Another_checkout_with_the_same_state_folder_is_built_unless_it_is_equal()
    {
        await BuildAsync();
        using var other = new ScriptCopy();
        other.Write("global.json", "{}");
        other.Write("Directory.Build.props", "<Project />");
        other.Write("src/Shared/Price.cs", "first");
        (await IsBuiltAsync(other)).ShouldBeTrue();
        other.Write("src/Shared/Price.cs", "other");
        File.SetLastWriteTimeUtc(other.At("src/Shared/Price.cs"), LongAgo);
        (await IsBuiltAsync(other)).ShouldBeFalse();
    }

    [Fact]
    public async Task A_build_that_a_killed_command_has_left_is_awaited()
    {
        var built = await shop.Script.CallAsync("""
            mkdir -p "$STATE/log"
            exec 7>>"$STATE/build.lock"
            flock 7
            (sleep 1; echo ended >>"$ROOT/order") &
            exec 7>&-
            sources() { echo begun >>"$ROOT/order"; }
            copy_build() { :; }
            build_processes
            """);

        built.ExitCode.ShouldBe(0, built.Error);
        shop.Script.Read("order").ShouldBe("ended\nbegun\n");
    }

    [Fact]
    public async Task What_the_compiler_leaves_in_memory_does_not_keep_the_lock()
    {
        shop.Script.WriteProgram("dotnet", "(sleep 5 >/dev/null 2>&1 &)");
        await BuildAsync();
        var free = await shop.Script.CallAsync("""flock -n "$STATE/build.lock" echo free""");
        free.Output.ShouldBe("free\n", free.Error);
    }

    private async Task BuildAsync()
    {
        var built = await shop.Script.CallAsync("""
            mkdir -p "$STATE/log"
            copy_build() { :; }
            build_processes
            """);
        built.ExitCode.ShouldBe(0, built.Error);
    }

    private async Task<bool> IsBuiltAsync(ScriptCopy? other = null)
    {
        var state = shop.Script.At(".local");
        var asked = await (other ?? shop.Script).CallAsync($"STATE='{state}'\nif is_built; then echo yes; fi");
        asked.Error.ShouldBeEmpty();
        return asked.Output == "yes\n";
    }
}
