using System.Text.Json.Nodes;
using ApexShop.Client;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>
/// A copy of the sources from which deploy/compose is started, with ports and names of its own; at the end its
/// containers and volumes are removed.
/// </summary>
public abstract class ComposedShop(params string[] files) : IAsyncLifetime
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-containers-");
    private readonly int commands = Loopback.FreePort();
    private readonly int queries = Loopback.FreePort();
    private readonly string project = $"apexshop-test-{Environment.ProcessId}-{files.Length}";

    public Uri Commands => new($"http://localhost:{commands}");

    public Uri Queries => new($"http://localhost:{queries}");

    /// <summary>What a reader of docs/containers.md has set.</summary>
    public Dictionary<string, string> Variables => new()
    {
        ["SHOP"] = folder.FullName,
        ["COMMANDS_URL"] = Commands.GetLeftPart(UriPartial.Authority),
        ["QUERIES_URL"] = Queries.GetLeftPart(UriPartial.Authority),
        ["PUBLIC_COMMANDS_URL"] = Commands.GetLeftPart(UriPartial.Authority),
        ["PUBLIC_QUERIES_URL"] = Queries.GetLeftPart(UriPartial.Authority),
        ["COMPOSE_PROJECT_NAME"] = project,
        ["COMPOSE_FILE"] = string.Join(Path.PathSeparator, files),
        ["APEXSHOP_COMMANDS_PORT"] = $"{commands}",
        ["APEXSHOP_QUERIES_PORT"] = $"{queries}",
        ["APEXSHOP_PROJECTOR_PORT"] = $"{Loopback.FreePort()}",
        ["APEXSHOP_PG_PORT"] = $"{Loopback.FreePort()}",
        ["APEXSHOP_RABBITMQ_PORT"] = $"{Loopback.FreePort()}",
        ["APEXSHOP_REDIS_PORT"] = $"{Loopback.FreePort()}",
    };

    protected string Folder => Path.Combine(folder.FullName, "deploy", "compose");

    public async Task InitializeAsync()
    {
        // What git has and what was changed; not what the tests leave out of the image.
        await Docker.RunAsync(
            Repository.Root, Variables, "bash", "-c",
            "git ls-files -zco --exclude-standard -- src eng deploy '*.props' global.json .editorconfig .dockerignore |"
            + " tar --null -T- -c | tar -x -C \"$SHOP\"");
        await StartAsync();
    }

    public async Task DisposeAsync()
    {
        await ComposeAsync("down", "-v");
        folder.Delete(recursive: true);
    }

    public Task<string> ComposeAsync(params string[] arguments) =>
        Docker.RunAsync(Folder, Variables, "docker", ["compose", .. arguments]);

    public Task<string> DockerAsync(params string[] arguments) =>
        Docker.RunAsync(Folder, Variables, "docker", arguments);

    /// <summary>Runs statements of a shell in a container of a service, as the user of its entry point.</summary>
    public Task<string> ShellAsync(string service, string statements) =>
        ComposeAsync("exec", "-T", service, "sh", "-c", statements);

    /// <summary>The containers by their service.</summary>
    public async Task<Dictionary<string, JsonNode>> ContainersAsync()
    {
        var ids = (await ComposeAsync("ps", "-aq")).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return JsonNode.Parse(await DockerAsync(["inspect", .. ids]))!.AsArray().ToDictionary(
            container => (string)container!["Config"]!["Labels"]!["com.docker.compose.service"]!, container => container!);
    }

    /// <summary>A client that repeats for a minute what fails.</summary>
    public async Task<ShopClient> ClientAsync()
    {
        var key = (await File.ReadAllTextAsync(Path.Combine(Folder, ".env.admin"))).Trim().Split('=')[1];
        return new ShopClient(new()
        {
            Commands = Commands, Queries = Queries, Key = key, Retries = 60,
            LongestRetryDelay = TimeSpan.FromSeconds(1),
        });
    }

    protected abstract Task StartAsync();
}
