using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Consistency;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>Backup and restore of the tables and the event log.</summary>
public sealed class BackupTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    // The processes are those of the test, which stops and starts them.
    private const string Restore = """
        for name in need_dotnet signal await_end prepare_database start_process await; do
          eval "$name() { :; }"
        done
        run_verb restore "$@"
        """;

    [Fact]
    public async Task A_backup_is_restored_as_a_whole_or_not_at_all()
    {
        var folder = Directory.CreateTempSubdirectory("apexshop backup ");
        var (file, damaged) = (Path.Combine(folder.FullName, "a.dump"), Path.Combine(folder.FullName, "b.dump"));
        var kept = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Kept"));
        await Shop.VerbAsync("backup", file);
        (await Shop.ScriptAsync("run_verb backup \"$@\"", file)).ExitCode.ShouldBe(1, "no backup is overwritten");
        var lost = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lost"));
        await Client.ReplaceAsync(Resource.Categories.Name, kept.Id, Bodies.Category("Undone"));
        await Client.SeesAsync(Resource.Categories.Name, kept.Id, category => (string?)category["name"] == "Undone");

        var whole = await File.ReadAllBytesAsync(file);
        await File.WriteAllBytesAsync(damaged, whole[..(whole.Length - whole.Length / 4)]);
        await Shop.Commands.KillAsync();
        (await RestoreAsync("--yes", damaged)).ExitCode.ShouldBe(1);
        (await CategoriesAsync(kept.Id, lost.Id)).ShouldBe(2);
        (await RestoreAsync(file)).Error.ShouldContain("--yes", Case.Sensitive, "it asks");
        (await CategoriesAsync(kept.Id, lost.Id)).ShouldBe(2);
        var (exitCode, text, error) = await RestoreAsync("--yes", file);
        exitCode.ShouldBe(0, text + error);
        (await CategoriesAsync(kept.Id, lost.Id)).ShouldBe(1);

        await Shop.Commands.StartAsync();
        (await RenameAndReadAsync(kept.Id, "Later")).ShouldBe("Later");
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task A_restore_that_another_session_delays_ends_and_says_why()
    {
        var folder = Directory.CreateTempSubdirectory("apexshop backup ");
        var file = Path.Combine(folder.FullName, "a.dump");
        await Shop.VerbAsync("backup", file);
        var later = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("After the backup"));
        await Shop.Commands.KillAsync();

        // It ends by itself: a restore that waits would succeed then.
        var reader = await Shop.Database.HoldAsync(
            "SET idle_in_transaction_session_timeout = '60s'; LOCK TABLE shop.categories IN ACCESS SHARE MODE");
        var (exitCode, text, error) = await Shop.ScriptAsync($"LOCK_SECONDS=1\n{Restore}", "--yes", file);
        await reader.DisposeAsync();
        await Shop.Commands.StartAsync();
        folder.Delete(recursive: true);

        exitCode.ShouldBe(1, text + error);
        error.ShouldContain("canceling statement due to lock timeout");
        error.ShouldContain("wait until it has ended");
        (await CategoriesAsync(later.Id)).ShouldBe(1);
    }

    /// <summary>The name that a query with the token of the change shows; the undone change had its version.</summary>
    private async Task<string?> RenameAndReadAsync(int id, string name)
    {
        using var renamed = await Shop.Commands.Http.PutAsJsonAsync($"/categories/{id}", Bodies.Category(name));
        renamed.EnsureSuccessStatusCode();
        var token = renamed.Headers.GetValues(ConsistencyToken.Header).Single();
        JsonNode? shown = null;
        await Eventually.Holds(
            async () =>
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, $"/categories/{id}");
                request.Headers.Add(ConsistencyToken.Header, token);
                using var response = await Shop.Queries.Http.SendAsync(request);
                if (response.StatusCode == HttpStatusCode.ServiceUnavailable) return false;
                shown = await response.Content.ReadFromJsonAsync<JsonNode>();
                return true;
            },
            "the documents have the change of the token");
        return (string?)shown?["name"];
    }

    private Task<ProgramRun> RestoreAsync(params string[] arguments) => Shop.ScriptAsync(Restore, arguments);

    private async Task<long> CategoriesAsync(params int[] ids)
    {
        await using var database = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var command = database.CreateCommand("SELECT count(*) FROM shop.categories WHERE id = ANY ($1)");
        command.Parameters.Add(new() { Value = ids });
        return (long)(await command.ExecuteScalarAsync())!;
    }
}
