using System.Net;
using ApexShop.Client;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>./apexshop with PostgreSQL, RabbitMQ and Redis in Docker.</summary>
[Collection(nameof(ContainerTests))]
public sealed class ServersInDockerTests : IAsyncLifetime
{
    private static readonly string[] processes = ["COMMANDS", "PROJECTOR", "QUERIES"];

    private readonly DirectoryInfo state = Directory.CreateTempSubdirectory("apexshop-state-");

    private readonly Dictionary<string, string> variables;

    public ServersInDockerTests()
    {
        variables = new() { ["APEXSHOP_STATE"] = state.FullName, ["APEXSHOP_SERVERS"] = "docker" };
        foreach (var server in (string[])["PG", "RABBITMQ", "RABBITMQ_DIST", "EPMD", "REDIS", .. processes])
            variables[$"APEXSHOP_{server}_PORT"] = $"{Loopback.FreePort()}";
    }

    public Task InitializeAsync() => ShopAsync("up", "--no-seed");

    public async Task DisposeAsync()
    {
        await ShopAsync("down");
        await Docker.RunAsync(
            Repository.Root, variables, "bash", "-c",
            "ROOT=$PWD; for part in eng/cli/*.sh; do source \"$part\"; done; load_settings; compose down -v");
        state.Delete(recursive: true);
    }

    [Fact]
    public async Task A_shop_is_backed_up_restored_and_started_again()
    {
        var backup = Path.Combine(state.FullName, "shop.dump");
        int kept, lost;
        using (var client = Client())
        {
            kept = (await client.Categories.CreateAsync(new("Kept"))).Id;
            await ShopAsync("backup", backup);
            lost = (await client.Categories.CreateAsync(new("Lost"))).Id;
            (await client.Categories.GetAsync(lost)).Name.ShouldBe("Lost");
        }

        await ShopAsync("restore", "--yes", backup);
        await Eventually.Holds(
            () => IsAbsentAsync(lost), "the documents are those of the backup", TimeSpan.FromMinutes(1));
        await ShopAsync("restart", "redis");
        await ShopAsync("down");
        await ShopAsync("up", "--no-seed");

        using var later = Client();
        (await later.Categories.GetAsync(kept)).Name.ShouldBe("Kept");
        await later.Categories.CreateAsync(new("Later"));
        (await ShopAsync("status")).ShouldContain("Servers (docker)");
    }

    // A client of its own: a token of a lost change waits for it.
    private async Task<bool> IsAbsentAsync(int id)
    {
        using var client = Client();
        try
        {
            await client.Categories.GetAsync(id);
            return false;
        }
        catch (ShopProblemException problem) when (problem.Status == (int)HttpStatusCode.NotFound)
        {
            return true;
        }
    }

    private ShopClient Client()
    {
        var settings = File.ReadLines(Path.Combine(state.FullName, "env"))
            .Select(line => line.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);
        return new ShopClient(new()
        {
            Commands = new(settings["COMMANDS_URL"]), Queries = new(settings["QUERIES_URL"]),
            Key = settings["ADMIN_KEY"],
        });
    }

    private Task<string> ShopAsync(params string[] arguments) =>
        Docker.RunAsync(Repository.Root, variables, "bash", ["apexshop", .. arguments]);
}
