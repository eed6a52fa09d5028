using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>The cluster with an empty shop.</summary>
[CollectionDefinition(nameof(ClusteredShop))]
public sealed class ClusteredShop()
    : ComposedShop("compose.yaml", "compose.cluster.yaml"), ICollectionFixture<ClusteredShop>
{
    private static readonly string? report = Environment.GetEnvironmentVariable("APEXSHOP_FAULT_REPORT");

    private bool hasFailed;
    private bool isRepaired;

    /// <summary>
    /// All services but the gateway, of which there is one. A kind with a primary is named with it, or with the place
    /// of a server among the others.
    /// </summary>
    public static IReadOnlyList<string> ReplicatedServices { get; } =
    [
        "postgres/primary", "postgres/1", "postgres/2", "rabbitmq/primary", "rabbitmq/1", "rabbitmq/2",
        "redis/primary", "redis/1", "redis/2",
        "etcd", "etcd-2", "etcd-3", "sentinel", "sentinel-2", "sentinel-3", "balancer", "balancer-2", "balancer-3",
        "commands", "commands-2", "projector", "projector-2", "queries", "queries-2", "queries-3",
    ];

    /// <summary>The result of a statement on the primary of PostgreSQL.</summary>
    public async Task<string> SqlAsync(string statement) =>
        (await ShellAsync(await PrimaryAsync("postgres"), Psql(statement))).Trim();

    /// <summary>The service that is the primary of its kind at the moment.</summary>
    public async Task<string> PrimaryAsync(string kind) => kind switch
    {
        "postgres" => (await MembersAsync()).Single(member => member.Role == "Leader").Name,
        "rabbitmq" => (await ShellAsync(
            "rabbitmq-2",
            "rabbitmqctl -q list_queues -p apexshop name leader | grep -v dead | sed -n 's/.*rabbit@//p'"))
            .Trim().Split('\n')[0],
        "redis" => await PrimaryRedisAsync(),
        _ => throw new ArgumentException(kind, nameof(kind)),
    };

    /// <summary>
    /// The service of a name in <see cref="ReplicatedServices"/>. The first PostgreSQL that is no primary is the one
    /// that the primary waits for.
    /// </summary>
    public async Task<string> ServiceAsync(string name)
    {
        if (name.Split('/') is not [var kind, var place]) return name;
        if (place == "primary") return await PrimaryAsync(kind);
        var replicas = kind == "postgres"
            ? (await MembersAsync()).Where(member => member.Role != "Leader")
                .OrderByDescending(member => member.Role == "Sync Standby").Select(member => member.Name)
            : new[] { kind, $"{kind}-2", $"{kind}-3" }.Except([await PrimaryAsync(kind)]);
        return replicas.ElementAt(int.Parse(place, CultureInfo.InvariantCulture) - 1);
    }

    /// <summary>
    /// Before a test: all are well. What an earlier test has left is repaired, once until all are well again.
    /// </summary>
    public async Task BeginAsync()
    {
        try
        {
            await AllAreWellAsync();
        }
        catch (TimeoutException) when (!isRepaired)
        {
            isRepaired = true;
            await RepairAsync();
            hasFailed = false;
            await AllAreWellAsync();
            Report("All are well after a repair.");
        }

        isRepaired = false;
    }

    /// <summary>
    /// Waits until all are well, so that each may be lost again; otherwise says what is not, and later tests wait less.
    /// </summary>
    public async Task AllAreWellAsync()
    {
        List<string> unwell = [];
        try
        {
            await Eventually.Holds(
                async () => (unwell = await LookAsync()).Count == 0,
                "all are well",
                hasFailed ? TimeSpan.FromSeconds(5) : TimeSpan.FromMinutes(4));
            hasFailed = false;
        }
        catch (TimeoutException)
        {
            if (!hasFailed) Report(string.Join('\n', unwell) + '\n' + await LogsAsync(unwell));
            hasFailed = true;
            throw;
        }
    }

    /// <summary>Adds lines to what ./apexshop test shows at its end.</summary>
    public static void Report(string lines)
    {
        if (report is not null) File.AppendAllText(report, lines + "\n");
    }

    /// <summary>The container of a service.</summary>
    public string Container(string service) => $"{Variables["COMPOSE_PROJECT_NAME"]}-{service}-1";

    /// <summary>Stops all processes of a service until it is unpaused.</summary>
    public async Task PauseAsync(string service)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                await DockerAsync("pause", Container(service));
                return;
            }
            catch (ShouldAssertException failure)
                when (attempts < 10 && failure.Message.Contains("unable to freeze", StringComparison.Ordinal))
            {
                // The engine cannot stop a container in which a process is just starting, such as a health check.
                await Task.Delay(TimeSpan.FromMilliseconds(100));
            }
        }
    }

    /// <summary>Cuts a service off the network.</summary>
    public Task CutAsync(string service) => DockerAsync("network", "disconnect", Network, Container(service));

    /// <summary>Gives it its network again, with the address that it had.</summary>
    public async Task JoinAsync(string service)
    {
        // From the file: Docker 20.10 removes such addresses from /etc/hosts of a container that is connected again.
        var line = (await File.ReadAllLinesAsync(Path.Combine(Folder, "compose.cluster.yaml")))
            .Single(line => line.StartsWith($"  - {service}=", StringComparison.Ordinal));
        var number = line.Split('.')[^1];
        var address = $"{Variables["CLUSTER_NETWORK"]}.{number}";
        await DockerAsync("network", "connect", "--ip", address, "--alias", service, Network, Container(service));
    }

    /// <summary>Ends a server and removes its data.</summary>
    public async Task LoseAsync(string service)
    {
        await ComposeAsync("rm", "-fsv", service);
        var volume = $"{service}-data".Replace("postgres", "patroni", StringComparison.Ordinal);
        await DockerAsync("volume", "rm", $"{Variables["COMPOSE_PROJECT_NAME"]}_{volume}");
    }

    /// <summary>Follows docs/operations.md for a server that has lost its data.</summary>
    public Task ReplaceAsync(string service) => Docker.RunAsync(Folder, Variables, "sh", "replace.sh", service);

    private string Network => $"{Variables["COMPOSE_PROJECT_NAME"]}_default";

    // A start that fails says first which parts are not well.
    protected override async Task StartAsync()
    {
        await Docker.RunAsync(Folder, Variables, "sh", "new-env.sh");
        await Docker.RunAsync(Folder, Variables, "docker", "compose", "build", "-q");
        await Docker.RunAsync(Folder, Variables, "sh", "-c", """
            docker compose --progress quiet up -d --wait && exit
            docker compose ps -a --format '{{.Service}} {{.State}} {{.ExitCode}} {{.Health}}' |
              grep -v -e ' healthy$' -e 'exited 0' | tee /dev/stderr | cut -d' ' -f1 |
              xargs docker compose logs --tail 15
            exit 1
            """);
    }

    private async Task<string> PrimaryRedisAsync()
    {
        var address = (await ShellAsync(
            "sentinel-2", "redis-cli -p 26379 SENTINEL get-master-addr-by-name apexshop")).Split('\n')[0].Trim();
        var names = await ShellAsync("sentinel-2", $"getent hosts {address}");
        return names.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries)[1];
    }

    private async Task RepairAsync()
    {
        foreach (var (service, container) in await ContainersAsync())
        {
            if ((bool)container["State"]!["Paused"]!) await DockerAsync("unpause", Container(service));
            if (container["NetworkSettings"]!["Networks"]!.AsObject().Count == 0) await JoinAsync(service);
        }

        await ComposeAsync("up", "-d", "--wait");
    }

    // Nothing can be executed in a container that is paused, stopped or just starting. Those of PostgreSQL are asked.
    private async Task<List<string>> LookAsync()
    {
        try
        {
            return await UnwellAsync();
        }
        catch (Exception failure) when (failure is ShouldAssertException or JsonException or TimeoutException)
        {
            return [$"postgres: {failure.Message}"];
        }
    }

    private async Task<List<string>> UnwellAsync()
    {
        // Patroni also names a server that does not follow yet.
        var members = await MembersAsync();
        var leader = members.Find(member => member.Role == "Leader")?.Name;
        var following = leader is null
            ? "no primary"
            : (await ShellAsync(leader, $"{Psql("SELECT state FROM pg_stat_replication")} 2>&1 || true")).Trim();
        var isComplete = members.Count == 3 && following == "streaming\nstreaming"
            && members.Count(member => member is { Role: "Replica" or "Sync Standby", Lag: "0" }) == 2
            && members.Any(member => member.Role == "Sync Standby");
        return
        [
            .. (await ContainersAsync())
                .Where(container => container.Value["State"]!["Health"] is { } health
                    && ((string)health["Status"]! != "healthy" || (int)health["FailingStreak"]! > 0))
                .Select(container => $"{container.Key}: {container.Value["State"]!.ToJsonString()}"),
            .. isComplete ? [] : members.Select(member => $"{member.Name}: {member}, {following} on the primary"),
        ];
    }

    private static string Psql(string statement) =>
        $"PGPASSWORD=$PATRONI_SUPERUSER_PASSWORD psql -XqAt -h localhost -U postgres -d apexshop -c \"{statement}\"";

    // Each line begins with the name of its service.
    private Task<string> LogsAsync(IEnumerable<string> unwell) => ComposeAsync(
        ["logs", "--no-color", "--tail", "15", .. unwell.Select(line => line.Split(':')[0]).Distinct()]);

    private async Task<List<Member>> MembersAsync() =>
    [
        .. JsonNode.Parse(await ShellAsync("postgres", "patronictl -c /shop list -f json"))!.AsArray()
            .Select(member => new Member(
                (string)member!["Member"]!, (string)member["Role"]!, $"{member["Lag in MB"]}")),
    ];

    private sealed record Member(string Name, string Role, string Lag);
}
