using System.Text.RegularExpressions;
using ApexShop.TestKit;
using YamlDotNet.RepresentationModel;

namespace ApexShop.Architecture.Tests;

/// <summary>The files, variables, services and hosts that deploy/compose names exist.</summary>
public sealed partial class ComposeTests
{
    private static readonly string folder = Path.Combine(Repository.Root, "deploy", "compose");

    // Only for the temporary servers of a test run; the name of the project, which Compose sets itself; replace.sh sets
    // the last one, and in .env it would be there for all members.
    private static readonly string[] undocumented =
        ["POSTGRES_EXTRA", "COMPOSE_PROJECT_NAME", "ETCD_INITIAL_CLUSTER_STATE"];

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
                    .Select(text => $"images/{Path.GetFileName(text)}"))
            .ToList();

        named.ShouldNotBeEmpty();
        named.Where(path => !Path.Exists(Path.Combine(folder, path))).ShouldBeEmpty();
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
                    .Except([.. Services.Keys, "<<"])
                    .ShouldBeEmpty(name);
            if (service.Children.TryGetValue("extends", out var extends))
                Declares(extends["file"].ToString(), extends["service"].ToString()).ShouldBeTrue(name);
        }
    }

    /// <summary>What compose.yaml says of a service is true in the cluster too, unless it is said again.</summary>
    [Fact]
    public void No_service_of_the_cluster_needs_one_other_service_to_be_well()
    {
        var single = (YamlMappingNode)Read("compose.yaml")["services"];
        var waits = 0;
        foreach (var (key, node) in (YamlMappingNode)Read("compose.cluster.yaml")["services"])
        {
            var service = (YamlMappingNode)node;
            var name = service.Children.TryGetValue("extends", out var extends) ? extends["service"] : key;
            var awaited = single.Children.TryGetValue(name, out var first) ? Dependencies((YamlMappingNode)first) : [];
            foreach (var (other, dependency) in Dependencies(service)) awaited[other] = dependency;
            var healthy = awaited.Where(one => one.Value["condition"].ToString() == "service_healthy").ToList();
            healthy.Where(one => !one.Value.Children.ContainsKey("required")).ShouldBeEmpty(key.ToString());
            waits += healthy.Count;
        }

        waits.ShouldBeGreaterThan(20);
    }

    [Fact]
    public void Every_host_of_the_cluster_is_a_service()
    {
        string[] named = ["compose.cluster.yaml", "haproxy/gateway.cfg", "haproxy/balancer.cfg"];
        var text = string.Concat(named.Select(file => File.ReadAllText(Path.Combine(folder, file))));
        var hosts = Host().Matches(text).SelectMany(match => match.Groups[1].Value.Split(',')).Distinct().ToList();

        hosts.ShouldContain("commands-2");
        hosts.ShouldContain("postgres-3");
        hosts.ShouldContain("etcd-3");
        hosts.ShouldContain("balancer-2");
        hosts.ShouldContain("redis-3");
        hosts.Except(Services.Keys).ShouldBeEmpty();
    }

    /// <summary>The list of all addresses, and the address of each.</summary>
    [Fact]
    public void Every_address_of_the_cluster_is_that_of_its_service()
    {
        var listed = Scalars(Read("compose.cluster.yaml")["x-addresses"]).Order(StringComparer.Ordinal);

        listed.ShouldBe(Services
            .Where(service => service.Value.Children.ContainsKey("networks"))
            .Select(service => $"{service.Key}={service.Value["networks"]["default"]["ipv4_address"]}")
            .Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_cluster_has_the_promised_shape()
    {
        foreach (var kind in (string[])["postgres", "rabbitmq", "redis", "sentinel", "balancer", "queries"])
            Count(kind).ShouldBe(3, kind);
        Count("commands").ShouldBe(2);
        Count("projector").ShouldBe(2);
        var nodes = File.ReadAllLines(Path.Combine(folder, "rabbitmq/cluster.conf"))
            .Where(line => line.StartsWith("cluster_formation.classic_config.nodes", StringComparison.Ordinal))
            .Select(line => line.Split("rabbit@")[1]).ToList();
        nodes.ShouldBe(Services.Keys
            .Where(name => name.StartsWith("rabbitmq", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        foreach (var name in (string[])["commands", "commands-2", "queries", "queries-2", "queries-3"])
        {
            Environment(name)["Transport__Proxies__0"]
                .ShouldBe(Services["gateway"]["networks"]["default"]["ipv4_address"].ToString(), name);
        }
    }

    /// <summary>
    /// The balancer of the process refuses one that hangs (with Timeout=1 the question for its role would have no
    /// limit), and streams have no server of their own that may be lost.
    /// </summary>
    [Fact]
    public void All_data_are_read_from_the_primary()
    {
        var processes = Services.Keys
            .Where(name => name.Split('-')[0] is "commands" or "projector" or "queries").ToList();

        processes.Count.ShouldBe(7);
        foreach (var name in processes)
        {
            var environment = Environment(name);
            var balancer = name.Replace(name.Split('-')[0], "balancer");
            environment[name.StartsWith("commands", StringComparison.Ordinal)
                    ? "ConnectionStrings__Shop" : "ConnectionStrings__Read"]
                .ShouldStartWith(
                    $"Host={balancer}:5441,{balancer}:5442,{balancer}:5443;Target Session Attributes=primary;"
                    + "Host Recheck Seconds=2;Timeout=2;",
                    customMessage: name);
            environment.ShouldNotContainKey("ConnectionStrings__ReadStreams");
        }
    }

    /// <summary>docs/operations.md has the parts of the sum.</summary>
    [Fact]
    public void The_pools_of_the_cluster_fit_into_the_primary()
    {
        const int resources = 5, ofQueries = 4, feed = 8, ofCommands = 5, ofProjector = 7, free = 297;
        var sum = Services.Sum(service => service.Key.Split('-')[0] switch
        {
            "queries" => Setting(service.Key, "Reading__Connections") + ofQueries
                + resources * Setting(service.Key, "Reading__WalkConnections")
                + resources * Setting(service.Key, "Reading__SearchConnections")
                + 2 * Setting(service.Key, "Streaming__Connections")
                + 2 * resources * Setting(service.Key, "Streaming__SearchConnections"),
            "commands" => PoolSize(service.Key, "ConnectionStrings__Shop") + feed + ofCommands,
            "projector" => PoolSize(service.Key, "ConnectionStrings__Read") + ofProjector,
            _ => 0,
        });

        sum.ShouldBeLessThanOrEqualTo(free);
    }

    private static int Setting(string service, string name) =>
        int.Parse(Environment(service)[name], System.Globalization.CultureInfo.InvariantCulture);

    private static int PoolSize(string service, string name) => int.Parse(
        Environment(service)[name].Split("Maximum Pool Size=")[1].Split(';')[0],
        System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>The variables of a service, with those that it shares by a merge key.</summary>
    private static Dictionary<string, string> Environment(string service)
    {
        var own = (YamlMappingNode)Services[service]["environment"];
        var shared = own.Children.TryGetValue("<<", out var merged) ? (YamlMappingNode)merged : [];
        return shared.Children.Concat(own.Children.Where(one => one.Key.ToString() != "<<"))
            .GroupBy(one => one.Key.ToString())
            .ToDictionary(one => one.Key, one => one.Last().Value.ToString());
    }

    private static Dictionary<string, YamlMappingNode> Dependencies(YamlMappingNode service)
    {
        var own = service.Children.TryGetValue("depends_on", out var waits) ? (YamlMappingNode)waits : [];
        var shared = own.Children.TryGetValue("<<", out var merged) ? (YamlMappingNode)merged : [];
        return shared.Children.Concat(own.Children).Where(one => one.Key.ToString() != "<<")
            .ToDictionary(one => one.Key.ToString(), one => (YamlMappingNode)one.Value);
    }

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

    [GeneratedRegex(@"(?:https?://|@|Host=|\bserver [a-z0-9-]+ )([a-z][a-z0-9,-]*)(?=[:;])")]
    private static partial Regex Host();
}
