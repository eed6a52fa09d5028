using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Alerts;

/// <summary>
/// A Prometheus of one test with a copy of deploy/prometheus, in which only the addresses and the intervals are others.
/// </summary>
internal sealed class PrivatePrometheus : IAsyncDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-prometheus-");
    private readonly ServerProcess process;
    private readonly HttpClient http;

    private PrivatePrometheus(Shop shop)
    {
        foreach (var file in new DirectoryInfo(Shipped).GetFiles())
            file.CopyTo(Path.Combine(folder.FullName, file.Name));
        File.WriteAllText(Path.Combine(folder.FullName, "apexshop.key"), TestKeys.Everything);
        File.WriteAllText(Path.Combine(folder.FullName, "prometheus.yml"), ConfigurationOf(shop));
        var address = $"127.0.0.1:{Loopback.FreePort()}";
        http = new HttpClient { BaseAddress = new Uri($"http://{address}/") };
        // Without a path, Debian's program uses the data of the system's own Prometheus.
        process = Program(
            "prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
            $"--web.listen-address={address}");
    }

    public static string Shipped { get; } = Path.Combine(Repository.Root, "deploy", "prometheus");

    public static async Task<PrivatePrometheus> StartAsync(Shop shop)
    {
        var prometheus = new PrivatePrometheus(shop);
        prometheus.process.Start();
        await prometheus.process.ReadyAsync(prometheus.http, "-/ready", TimeSpan.FromSeconds(60));
        return prometheus;
    }

    /// <summary>Runs promtool on the copy, and fails with its output if it finds an error.</summary>
    public async Task CheckAsync(params string[] arguments)
    {
        using var promtool = Program("promtool", arguments);
        promtool.Start();
        (await promtool.ExitAsync(TimeSpan.FromMinutes(1))).ShouldBe(0, promtool.Tail(60));
    }

    /// <summary>The data of an endpoint of the HTTP API.</summary>
    public async Task<JsonNode> GetAsync(string path) =>
        (await http.GetFromJsonAsync<JsonNode>($"api/v1/{path}"))!["data"]!;

    public async Task<IReadOnlyList<AlertRule>> RulesAsync() =>
    [
        .. (await GetAsync("rules"))["groups"]!.AsArray()
            .SelectMany(group => group!["rules"]!.AsArray()).Select(rule => new AlertRule(rule!)),
    ];

    /// <summary>The names of the alerts that fire.</summary>
    public async Task<IReadOnlyList<string>> FiringAsync() =>
    [
        .. (await GetAsync("alerts"))["alerts"]!.AsArray()
            .Where(alert => (string)alert!["state"]! == "firing")
            .Select(alert => (string)alert!["labels"]!["alertname"]!),
    ];

    public async ValueTask DisposeAsync()
    {
        await process.KillAsync();
        process.Dispose();
        http.Dispose();
        folder.Delete(recursive: true);
    }

    private static string ConfigurationOf(Shop shop)
    {
        var text = File.ReadAllText(Path.Combine(Shipped, "prometheus.yml"));
        foreach (var (shipped, value) in ((string, string)[])[
            ("commands:8080", shop.Commands.Url.Authority), ("projector:8080", shop.Projector.Url.Authority),
            ("queries:8080", shop.Queries.Url.Authority), ("_interval: 5s", "_interval: 1s"),
        ])
        {
            text.ShouldContain(shipped);
            text = text.Replace(shipped, value, StringComparison.Ordinal);
        }

        return text;
    }

    private ServerProcess Program(string name, params string[] arguments) =>
        new(name, name, arguments, new Dictionary<string, string>()) { WorkingDirectory = folder.FullName };
}
