using System.Text.Json.Nodes;
using ApexShop.Client;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>
/// A copy of the sources from which deploy/compose is started, with ports and names of its own; at the end its
/// containers and volumes are removed.
/// </summary>
public abstract class ComposedShop : IAsyncLifetime
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-containers-");

    protected ComposedShop(params string[] files)
    {
        var (commands, queries) = (Loopback.FreePort(), Loopback.FreePort());
        (Commands, Queries) = (new($"http://localhost:{commands}"), new($"http://localhost:{queries}"));
        Variables = new Dictionary<string, string>
        {
            ["SHOP"] = folder.FullName,
            ["COMMANDS_URL"] = Commands.GetLeftPart(UriPartial.Authority),
            ["QUERIES_URL"] = Queries.GetLeftPart(UriPartial.Authority),
            ["PUBLIC_COMMANDS_URL"] = Commands.GetLeftPart(UriPartial.Authority),
            ["PUBLIC_QUERIES_URL"] = Queries.GetLeftPart(UriPartial.Authority),
            ["APEXSHOP_COMMIT"] = "0123456789",
            ["COMPOSE_PROJECT_NAME"] = $"apexshop-test-{Environment.ProcessId}-{files.Length}",
            ["COMPOSE_FILE"] = string.Join(Path.PathSeparator, files),
            // Not the default, which another shop on this engine may have.
            ["CLUSTER_NETWORK"] = $"172.28.{1 + (Environment.ProcessId % 255)}",
            ["APEXSHOP_COMMANDS_PORT"] = $"{commands}",
            ["APEXSHOP_QUERIES_PORT"] = $"{queries}",
            ["APEXSHOP_PROJECTOR_PORT"] = $"{Loopback.FreePort()}",
            ["APEXSHOP_PG_PORT"] = $"{Loopback.FreePort()}",
            ["APEXSHOP_RABBITMQ_PORT"] = $"{Loopback.FreePort()}",
            ["APEXSHOP_REDIS_PORT"] = $"{Loopback.FreePort()}",
        };
    }

    public Uri Commands { get; }

    public Uri Queries { get; }

    /// <summary>What a reader of docs/containers.md has set, and the ports of this shop.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; }

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
        await Docker.RunAsync(
            Folder, Variables, "bash", "-c",
            "docker image ls --format '{{.Repository}}' --filter \"reference=$COMPOSE_PROJECT_NAME-*\""
            + " | xargs -r docker image rm");
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
        return JsonNode.Parse(await DockerAsync(["inspect", .. ids]))!.AsArray()
            // Not those of `docker compose run`.
            .Where(container => Label(container!, "oneoff") == "False")
            .ToDictionary(container => Label(container!, "service"), container => container!);
    }

    /// <summary>The key for commands.</summary>
    public async Task<string> KeyAsync() =>
        (await File.ReadAllTextAsync(Path.Combine(Folder, ".env.admin"))).Trim().Split('=')[1];

    /// <summary>A client that repeats what fails, also when a response says to wait for some seconds.</summary>
    public async Task<ShopClient> ClientAsync() => new(new()
    {
        Commands = Commands, Queries = Queries, Key = await KeyAsync(), Retries = 60,
        LongestRetryDelay = TimeSpan.FromSeconds(5),
    });

    protected abstract Task StartAsync();

    private static string Label(JsonNode container, string name) =>
        (string)container["Config"]!["Labels"]![$"com.docker.compose.{name}"]!;
}
