using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Consuming;

/// <summary>
/// The program of docs/consume-events.md is built with the package from a folder, and is killed while it runs.
/// </summary>
public sealed partial class ClientPackageTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>, IAsyncLifetime
{
    private const string Package = "ApexShop.Events.Client";
    private const int Writes = 200;

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-package-");
    private TestDatabase database = null!;

    public async Task InitializeAsync() =>
        database = await TestDatabase.CreateAsync("consumer", _ => Task.CompletedTask);

    public async Task DisposeAsync()
    {
        await database.DisposeAsync();
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task The_program_of_the_page_applies_each_event_once_with_the_package_while_it_is_killed()
    {
        await BuildAsync();
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
            "consumer", "dotnet", [Path.Combine(folder.FullName, "out", "Consumer.dll")],
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

    // The packages that the machine has are used as they are; the package under test is not added to them.
    private async Task BuildAsync()
    {
        await RunAsync(
            Repository.Root, "pack", "src/Events.Client", "-c", Configuration, "--no-build", "-o", folder.FullName);
        var page = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "consume-events.md"));
        var text = Program().Match(page).Groups[1].Value;
        text.ShouldContain("Queue = \"stock\",");
        Write("Program.cs", text.Replace(
            "Queue = \"stock\",", $"Queue = \"{Shop.Exchange}.stock\", Exchange = \"{Shop.Exchange}\",",
            StringComparison.Ordinal));
        Write("nuget.config", $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <packageSources><add key="built" value="." /></packageSources>
              <fallbackPackageFolders><add key="machine" value="{MachinePackages}" /></fallbackPackageFolders>
            </configuration>
            """);
        var version = folder.GetFiles($"{Package}.*.nupkg").Single().Name[(Package.Length + 1)..^".nupkg".Length];
        Write("Consumer.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
              </PropertyGroup>
              <ItemGroup><PackageReference Include="{Package}" Version="{version}" /></ItemGroup>
            </Project>
            """);
        await RunAsync(folder.FullName, "build", "-o", "out", "--disable-build-servers");
    }

    private static string Configuration => new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    private static string MachinePackages => Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private void Write(string file, string text) => File.WriteAllText(Path.Combine(folder.FullName, file), text);

    private static async Task RunAsync(string folder, params string[] arguments)
    {
        using var run = new ServerProcess("dotnet", "dotnet", arguments, new Dictionary<string, string>())
        {
            WorkingDirectory = folder,
        };
        run.Start();
        (await run.ExitAsync(TimeSpan.FromMinutes(3))).ShouldBe(0, run.Tail(40));
    }

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Program();
}
