using ApexShop.TestKit;
using ApexShop.TestKit.Packages;
using ApexShop.TestKit.Pages;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Consuming;

/// <summary>
/// The program of docs/consume-events.md is built with the package from a folder, and is killed while it runs.
/// </summary>
public sealed class ClientPackageTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>, IAsyncLifetime
{
    private const int Writes = 200;

    private readonly Programs programs = new();
    private TestDatabase database = null!;

    public async Task InitializeAsync() =>
        database = await TestDatabase.CreateAsync("consumer", _ => Task.CompletedTask);

    public async Task DisposeAsync()
    {
        await database.DisposeAsync();
        programs.Dispose();
    }

    [Fact]
    public async Task The_program_of_the_page_applies_each_event_once_with_the_package_while_it_is_killed()
    {
        await WriteAsync();
        var consumer = await programs.BuildAsync("Events.Client", "ApexShop.Events.Client");
        var consumed = new Database(database.Superuser);
        await consumed.RowsAsync("""
            CREATE TABLE stock (id int PRIMARY KEY, stock int NOT NULL);
            CREATE TABLE writes (id int);
            CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO writes VALUES (COALESCE(NEW.id, OLD.id)); RETURN NULL; END $$;
            CREATE TRIGGER count_write AFTER INSERT OR UPDATE OR DELETE ON stock
                FOR EACH ROW EXECUTE FUNCTION count_write();
            """);
        using var program = new ServerProcess(
            "consumer", "dotnet", [consumer],
            new Dictionary<string, string>
            {
                ["COMMANDS_URL"] = Shop.Commands.Url.ToString(),
                ["EVENTS_KEY"] = TestKeys.Events,
                ["RABBITMQ_URL"] = Shop.Broker.ToString(),
                ["DATABASE"] = database.Superuser,
            });
        // It starts before the first product: later on it gets every event, not only the last ones.
        program.Start();
        await Eventually.Holds(
            () => program.Tail(20).Contains("taking messages", StringComparison.Ordinal),
            "it has read the log", TimeSpan.FromSeconds(60));
        var traffic = await Traffic.PrepareAsync(Shop, products: 10, users: 2, stock: 1000);
        for (var i = 0; i < Writes; i++)
        {
            await traffic.AnythingAsync(new Random(i));
            if (i % (Writes / 4) != Writes / 8) continue;
            await program.KillAsync();
            program.Start();
        }

        await State.ProjectedAsync();
        await EqualsAsync(
            consumed, "SELECT id, count(*) FROM writes GROUP BY id ORDER BY id",
            "SELECT aggregate_id, count(*) FROM shop.events WHERE resource = 'products' GROUP BY 1 ORDER BY 1");
        await EqualsAsync(
            consumed, "SELECT id, stock FROM stock ORDER BY id", "SELECT id, stock FROM shop.products ORDER BY id");
        Output.WriteLine(program.Tail(60));
    }

    private async Task EqualsAsync(Database consumed, string sql, string expected)
    {
        var rows = await State.Database.RowsAsync(expected);
        rows.Count.ShouldBeGreaterThan(9);
        await Eventually.Holds(
            async () => (await consumed.RowsAsync(sql)).SequenceEqual(rows), $"each event is applied: {sql}");
    }

    private async Task WriteAsync()
    {
        var page = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "consume-events.md"));
        var text = PagePart.Of(page).First(part => part.Language == "csharp").Text;
        text.ShouldContain("Queue = \"stock-watcher\",");
        programs.Write("Program.cs", text.Replace(
            "Queue = \"stock-watcher\",", $"Queue = \"{Shop.Exchange}.stock\", Exchange = \"{Shop.Exchange}\",",
            StringComparison.Ordinal));
    }
}
