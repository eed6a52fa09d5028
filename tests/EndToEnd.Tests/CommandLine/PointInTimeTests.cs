using System.Net;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>Continuous archiving, and the restore of a whole server to a point in time.</summary>
public sealed class PointInTimeTests(StartedShop shop) : IClassFixture<StartedShop>
{
    private const string Categories = "categories";

    // PostgreSQL runs with the restored data.
    private static readonly string[] replaying = ["timelines.new", "postgres/pid"];

    [Fact]
    public async Task A_moment_between_two_writes_is_restored_and_what_it_took_back_too()
    {
        var deleted = await shop.CreateAsync(Categories, Bodies.Category("Deleted later"));
        await BackUpAsync();
        var token = await shop.LogInAsync();
        var kept = await shop.CreateAsync(Categories, Bodies.Category("Kept"));
        var between = await MomentAsync();
        var lost = await shop.CreateAsync(Categories, Bodies.Category("Lost"));
        await shop.DeleteAsync(Categories, deleted);
        await ServedAsync([kept, lost], [deleted]);
        var (after, identity) = (await MomentAsync(), await IdentityAsync());

        (await shop.VerbAsync("restore", "--to", between, "--yes")).ShouldContain("Customers must log in again.");

        (await shop.ServesAsync(Categories, lost)).ShouldBeFalse("no cache has what the restore took back");
        (await TablesHaveAsync(kept), await TablesHaveAsync(deleted), await TablesHaveAsync(lost))
            .ShouldBe((true, true, false));
        (await shop.OrdersAsync(token)).ShouldBe(HttpStatusCode.Unauthorized);
        await NoDifferenceAsync();
        var later = await shop.CreateAsync(Categories, Bodies.Category("Later"));
        await ServedAsync([kept, deleted, later], [lost]);
        (await IdentityAsync()).ShouldNotBe(identity);

        await shop.VerbAsync("restore", "--to", after, "--yes");

        (await CountAsync("name IN ('Kept', 'Lost')"), await CountAsync("name IN ('Later', 'Deleted later')"))
            .ShouldBe((2, 0));
        await ServedAsync([kept, lost], [deleted]);
        await NoDifferenceAsync();
    }

    [Fact]
    public async Task A_restore_that_is_killed_leaves_the_data_from_before_it()
    {
        await BackUpAsync();
        var moment = await MomentAsync();
        var written = await shop.CreateAsync(Categories, Bodies.Category("Written after the moment"));
        await shop.KillAtAsync(replaying, "restore", "--to", moment, "--yes");
        (await shop.TryAsync("status")).Text.ShouldContain("A restore runs, or was interrupted");
        (await shop.VerbAsync("up", "--no-seed")).ShouldContain("the data from before it is put back");
        (await TablesHaveAsync(written)).ShouldBeTrue();
        await ServedAsync([written], []);
    }

    [Fact]
    public async Task A_moment_outside_of_the_archive_is_refused_and_nothing_is_stopped()
    {
        await BackUpAsync();
        foreach (var time in (string[])["2020-01-01T00:00:00Z", "2100-01-01T00:00:00+01:00"])
        {
            var (exitCode, text) = await shop.TryAsync("restore", "--to", time, "--yes");
            exitCode.ShouldBe(1, text);
            text.ShouldContain("cannot be restored; nothing was stopped or changed.");
            text.ShouldContain("A restore can be to every time from 20");
        }

        (await shop.VerbAsync("status")).ShouldEndWith("No problems.\n");
    }

    [Fact]
    public async Task An_archive_that_cannot_be_written_is_a_problem_and_its_changes_are_archived_later()
    {
        await BackUpAsync();
        (await shop.VerbAsync("status")).ShouldContain("last archived 0000");
        var elsewhere = $"{shop.Repository} elsewhere";
        Directory.Move(shop.Repository, elsewhere);
        await SwitchAsync();
        await Eventually.Holds(
            async () => (await shop.TryAsync("status")).Text.Contains("are not archived", StringComparison.Ordinal),
            "the status names it");
        (await shop.TryAsync("status", "--json")).ExitCode.ShouldBe(1);
        var (exitCode, text) = await shop.TryAsync("restore", "--latest", "--yes");
        exitCode.ShouldBe(1);
        text.ShouldContain("Is its disk mounted?");
        Directory.Exists(shop.Repository).ShouldBeFalse("no other archive is begun in its place");

        Directory.Move(elsewhere, shop.Repository);
        await SwitchAsync();
        await Eventually.Holds(
            async () => (await shop.TryAsync("status")).ExitCode == 0, "all is archived", TimeSpan.FromMinutes(2));
    }

    [Fact]
    public async Task Two_backups_at_the_same_time_are_one_and_a_refusal()
    {
        await BackUpAsync();
        (int ExitCode, string Text)[] both = [];
        // One may have ended before the other one asks for the lock.
        for (var round = 0; round < 3 && both.All(one => one.ExitCode == 0); round++)
            both = await Task.WhenAll(shop.TryAsync("backup", "full"), shop.TryAsync("backup", "full"));
        var refused = both.Where(one => one.ExitCode != 0).ShouldHaveSingleItem();
        refused.Text.ShouldContain("wait until it has ended");
        (await shop.VerbAsync("backup", "list")).ShouldContain(" full ");
    }

    // A moment can be restored from the second on that follows the end of the first backup.
    private async Task BackUpAsync()
    {
        await shop.VerbAsync("backup");
        var first = (long)JsonNode.Parse(await shop.VerbAsync("backup", "list", "--json"))!["earliest"]!;
        await Eventually.Holds(
            () => TimeProvider.System.GetUtcNow().ToUnixTimeSeconds() > first, "the first moment is over");
    }

    private Task<string> MomentAsync() => shop.ScalarAsync<string>(
        """SELECT to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""");

    private Task<string> IdentityAsync() =>
        shop.ScalarAsync<string>("SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1");

    private async Task<bool> TablesHaveAsync(int id) => await CountAsync($"id = {id}") == 1;

    private Task<long> CountAsync(string condition) =>
        shop.ScalarAsync<long>($"SELECT count(*) FROM shop.categories WHERE {condition}");

    private Task<string> SwitchAsync() =>
        shop.ScalarAsync<string>("SELECT pg_switch_wal()::text || pg_current_xact_id()::text");

    private async Task ServedAsync(int[] ids, int[] gone)
    {
        foreach (var id in ids)
            await Eventually.Holds(() => shop.ServesAsync(Categories, id), $"{Categories}/{id} is served");
        foreach (var id in gone)
            await Eventually.Holds(
                async () => !await shop.ServesAsync(Categories, id), $"{Categories}/{id} is not served");
    }

    private async Task NoDifferenceAsync() => (await shop.VerbAsync("audit")).ShouldContain("; differences: 0,");
}
