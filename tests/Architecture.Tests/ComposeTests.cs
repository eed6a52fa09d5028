using System.Text.RegularExpressions;
using ApexShop.TestKit;
using YamlDotNet.RepresentationModel;

namespace ApexShop.Architecture.Tests;

/// <summary>The files, variables, services and hosts that deploy/compose names exist.</summary>
public sealed partial class ComposeTests
{
    private static readonly string folder = Path.Combine(Repository.Root, "deploy", "compose");

    // Only for the temporary servers of a test run.
    private static readonly string[] undocumented = ["POSTGRES_EXTRA"];

    // Later files extend the services of earlier ones.
    private static readonly string[] files = ["compose.servers.yaml", "compose.yaml", "compose.cluster.yaml"];

    public static TheoryData<string> Files => [.. files];

    private static Dictionary<string, YamlMappingNode> Services => files
        .SelectMany(file => ((YamlMappingNode)Read(file)["services"]).Children)
        .GroupBy(service => service.Key.ToString())
        .ToDictionary(service => service.Key, service => (YamlMappingNode)service.Last().Value);

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_mounted_or_built_file_exists(string file)
    {
        var named = Scalars(Read(file))
            .Select(text => MountedFile().Match(text))
            .Where(match => match.Success)
            .Select(match => match.Groups[1].Value)
            .Concat(
                Scalars(Read(file))
                    .Where(text => text.EndsWith(".Dockerfile", StringComparison.Ordinal))
                    .Select(text => $"../../{text}"))
            .ToList();

        named.ShouldNotBeEmpty();
        named.Where(path => !File.Exists(Path.Combine(folder, path))).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_variable_is_in_the_example(string file)
    {
        var example = File.ReadAllLines(Path.Combine(folder, ".env.example"))
            .Select(line => line.Split('=')[0])
            .ToHashSet();
        var used = Variable()
            .Matches(File.ReadAllText(Path.Combine(folder, file)))
            .Select(match => match.Groups[1].Value)
            .Distinct()
            .ToList();

        used.ShouldNotBeEmpty();
        used.Except(example).Except(undocumented).ShouldBeEmpty();
    }

    [Fact]
    public void Every_dependency_of_a_service_is_a_service()
    {
        foreach (var (name, service) in Services)
        {
            if (service.Children.TryGetValue("depends_on", out var waits))
                ((YamlMappingNode)waits).Children.Keys.Select(key => key.ToString())
                    .Except(Services.Keys)
                    .ShouldBeEmpty(name);
            if (service.Children.TryGetValue("extends", out var extends))
                Declares(extends["file"].ToString(), extends["service"].ToString()).ShouldBeTrue(name);
        }
    }

    [Fact]
    public void Every_host_of_the_cluster_is_a_service_or_an_alias()
    {
        var text = File.ReadAllText(
            Path.Combine(folder, "compose.cluster.yaml")) + File.ReadAllText(Path.Combine(folder, "nginx/nginx.conf"));
        var hosts = Host().Matches(text).SelectMany(match => match.Groups[1].Value.Split(',')).Distinct().ToList();

        hosts.ShouldContain("commands-2");
        hosts.ShouldContain("postgres-replica");
        hosts.Except(Services.Keys).ShouldBe(["broker"], "the alias of the three nodes");
    }

    [Fact]
    public void The_cluster_has_the_promised_shape()
    {
        Count("commands").ShouldBe(2);
        Count("projector").ShouldBe(2);
        Count("queries").ShouldBe(3);
        var nodes = File.ReadAllLines(Path.Combine(folder, "rabbitmq/cluster.conf"))
            .Where(line => line.StartsWith("cluster_formation.classic_config.nodes", StringComparison.Ordinal))
            .Select(line => line.Split("rabbit@")[1]).ToList();
        nodes.ShouldBe(Services.Keys
            .Where(name => name.StartsWith("rabbitmq", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        nodes.Count.ShouldBe(3);
        Scalars(Services["nginx"]).ShouldContain("172.28.0.10");
        Services["queries-3"]["environment"]["Transport__Proxies__0"].ToString().ShouldBe("172.28.0.10");
    }

    [Fact]
    public void Cached_data_are_read_from_the_primary_and_streams_from_one_host()
    {
        foreach (var (name, service) in Services.Where(
            service => service.Key.StartsWith("queries", StringComparison.Ordinal)))
        {
            service["environment"]["ConnectionStrings__Read"]
                .ToString()
                .ShouldContain("Target Session Attributes=primary", customMessage: name);
            service["environment"]["ConnectionStrings__ReadStreams"]
                .ToString()
                .ShouldStartWith("Host=postgres-replica;", customMessage: name);
        }
    }

    /// <summary>docs/operations.md has the parts of the sum.</summary>
    [Fact]
    public void The_pools_of_the_cluster_fit_into_the_primary()
    {
        const int resources = 5, ofQueries = 3, feed = 8, ofCommands = 5, ofProjector = 7, free = 197;
        var sum = Services.Sum(service => service.Key.Split('-')[0] switch
        {
            "queries" => Setting(service.Value, "Reading__Connections") + ofQueries
                + resources * Setting(service.Value, "Reading__WalkConnections")
                + resources * Setting(service.Value, "Reading__SearchConnections"),
            "commands" => PoolSize(service.Value, "ConnectionStrings__Shop") + feed + ofCommands,
            "projector" => PoolSize(service.Value, "ConnectionStrings__Read") + ofProjector,
            _ => 0,
        });

        sum.ShouldBeLessThanOrEqualTo(free);
    }

    private static int Setting(YamlNode service, string name) =>
        int.Parse(service["environment"][name].ToString(), System.Globalization.CultureInfo.InvariantCulture);

    private static int PoolSize(YamlNode service, string name) => int.Parse(
        service["environment"][name].ToString().Split("Maximum Pool Size=")[1].Split(';')[0],
        System.Globalization.CultureInfo.InvariantCulture);

    private static int Count(string kind) =>
        Services.Keys.Count(name => name == kind || name.StartsWith(kind + "-", StringComparison.Ordinal));

    private static bool Declares(string file, string service) =>
        ((YamlMappingNode)Read(file)["services"]).Children.ContainsKey(service);

    private static YamlMappingNode Read(string file)
    {
        var yaml = new YamlStream();
        using var text = File.OpenText(Path.Combine(folder, file));
        yaml.Load(text);
        return (YamlMappingNode)yaml.Documents[0].RootNode;
    }

    private static IEnumerable<string> Scalars(YamlNode node) =>
        node.AllNodes.OfType<YamlScalarNode>().Select(scalar => scalar.Value ?? "");

    [GeneratedRegex(@"^\./([^:]+):")]
    private static partial Regex MountedFile();

    [GeneratedRegex(@"(?<!\$)\$\{(\w+)")]
    private static partial Regex Variable();

    [GeneratedRegex(@"(?:https?://|@|Host=|\bserver )([a-z][a-z0-9,-]*)(?=[:;])")]
    private static partial Regex Host();
}
