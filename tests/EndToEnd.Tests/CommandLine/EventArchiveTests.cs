using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The archive of the log in a folder.</summary>
public sealed class EventArchiveTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>, IAsyncLifetime
{
    private readonly ArchiveFolder folder = new(running.Shop);

    public async Task InitializeAsync()
    {
        // The log has at least so many events, and each test adds some.
        for (var i = 0; i < 25; i++) await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Named {i}"));
        await State.ProjectedAsync(TimeSpan.FromMinutes(1));
    }

    public Task DisposeAsync()
    {
        folder.Dispose();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task The_archive_is_the_log_and_goes_on_after_its_last_event()
    {
        (await folder.AddAsync()).ShouldContain("has the events of the log");
        var count = folder.Files.Count;
        folder.Lines.ShouldBe(await folder.LogAsync());
        Path.GetFileName(folder.Files[1]).ShouldBe("events-0000000000000000011-0000000000000000020.ndjson.gz");
        (await folder.AddAsync()).ShouldContain(". Files added: 0\n");

        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Later"));
        await State.ProjectedAsync();
        await folder.AddAsync();

        folder.Files.Count.ShouldBe(count + 1);
        folder.Lines.ShouldBe(await folder.LogAsync());
        (await folder.VerifyAsync()).ShouldContain($" without a gap. Files: {folder.Files.Count}\n");
        var table = (await Shop.VerbAsync("events", "list", folder.Path)).Trim().Split('\n');
        table.Length.ShouldBe(folder.Files.Count + 1);
        table[2].Split(' ', StringSplitOptions.RemoveEmptyEntries)[..3].ShouldBe(["11", "20", "10"]);
    }

    [Fact]
    public async Task Only_the_owner_reads_an_archive()
    {
        await folder.AddAsync();

        if (OperatingSystem.IsWindows()) return;
        const UnixFileMode owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        File.GetUnixFileMode(folder.Path).ShouldBe(owner | UnixFileMode.UserExecute);
        foreach (var file in Directory.GetFiles(folder.Path)) File.GetUnixFileMode(file).ShouldBe(owner, file);
    }

    [Theory]
    [InlineData("sync() { kill -9 $$; }")]
    [InlineData("mv() { [[ $2 != *.ndjson.gz ]] || kill -9 $$; command mv \"$@\"; }")]
    [InlineData("gzip() { head -c 700 | command gzip; kill -9 $$; }")]
    public async Task A_killed_archiver_leaves_no_part_of_a_file(string kill)
    {
        var (exitCode, _, error) = await Shop.ScriptAsync($"{kill}\n{ArchiveFolder.Archive}", folder.Path);

        exitCode.ShouldBe(137, error);
        folder.Files.ShouldBeEmpty();
        await folder.AddAsync();
        folder.Lines.ShouldBe(await folder.LogAsync());
        Directory.GetFileSystemEntries(folder.Path).Select(Path.GetFileName).ShouldNotContain(".part");
        await folder.VerifyAsync();
    }

    [Theory]
    [InlineData("head -c -9", "line 10 is not a JSON object")]
    [InlineData("sed '$s/.*/{\"error\":{\"code\":\"process.stopping\",\"after\":9}}/'", "(process.stopping)")]
    [InlineData("sed 4d", "line 4 has the position 5, where 4 was expected")]
    [InlineData("(cat && exit 18)", "could not be read and written")]
    [InlineData("sed d", "is empty")]
    public async Task A_response_that_lacks_events_is_not_archived(string change, string reason)
    {
        var cut = $"operator_curl() {{ curl -sS -H \"Authorization: Bearer $ADMIN_KEY\" \"$@\" | {change}; }}\n";

        await folder.RefusedAsync($"{cut}{ArchiveFolder.Archive}", reason);

        folder.Files.ShouldBeEmpty();
    }

    [Fact]
    public async Task It_waits_while_the_log_has_its_maximum_number_of_readers()
    {
        const string busy = """
            sleep() { touch "$PART/waited"; }
            operator_curl() {
              if [[ ! -e $PART/waited ]]; then
                printf 'HTTP/1.1 503 Service Unavailable\r\n' >"$PART/headers"
                printf '{"status":503,"code":"streams.busy"}'
              else
                curl -sS -H "Authorization: Bearer $ADMIN_KEY" "$@"
              fi
            }

            """;

        (await folder.AddAsync(busy)).ShouldContain("waiting until one ends");

        folder.Lines.ShouldBe(await folder.LogAsync());
    }

    [Fact]
    public async Task The_archive_of_another_log_is_refused()
    {
        await folder.AddAsync();
        var stored = folder.Lines;
        await Shop.VerbAsync("events", "new-identity");
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Of the other log"));

        await folder.RefusedAsync(ArchiveFolder.Archive, "is an archive of the log ");

        folder.Lines.ShouldBe(stored);
    }

    [Fact]
    public async Task A_folder_has_one_archiver_at_a_time_and_nothing_else()
    {
        await folder.RefusedAsync(
            $"mkdir \"$1\"\nexec 7>\"$1/.lock\"\nflock 7\n{ArchiveFolder.Archive}",
            "Another ./apexshop archives events");
        await File.WriteAllTextAsync(folder.At("notes.txt"), "");
        (await Shop.ScriptAsync(ArchiveFolder.Archive, folder.At(""))).Error
            .ShouldContain("no archive of events, such as notes.txt");
    }

    [Fact]
    public async Task Files_whose_events_are_older_than_a_number_of_days_are_removed()
    {
        await folder.AddAsync();
        var files = folder.Files;
        foreach (var file in files[..2])
        {
            var manifest = file.Replace(".ndjson.gz", ".manifest", StringComparison.Ordinal);
            var text = await File.ReadAllTextAsync(manifest);
            await File.WriteAllTextAsync(manifest, text.Replace("\nto=20", "\nto=19", StringComparison.Ordinal));
        }

        (await folder.AddAsync("", "--keep-days", "30")).ShouldContain("than 30 days: 2\n");

        folder.Files.ShouldBe(files[2..]);
        await folder.VerifyAsync();
    }

    [Fact]
    public async Task A_log_elsewhere_is_archived_with_its_address_and_a_key()
    {
        const string stopped = "is_running() { return 1; }\n";
        await folder.RefusedAsync(stopped + ArchiveFolder.Archive, "APEXSHOP_EVENTS_URL");

        await folder.AddAsync(
            stopped + "APEXSHOP_EVENTS_URL=$COMMANDS_URL/ APEXSHOP_EVENTS_KEY=$ADMIN_KEY ADMIN_KEY=none\n");

        folder.Lines.ShouldBe(await folder.LogAsync());
    }
}
