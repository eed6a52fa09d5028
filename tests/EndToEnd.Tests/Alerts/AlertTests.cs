using System.Net.Http.Json;
using ApexShop.EndToEnd.Tests.Telemetry;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Alerts;

/// <summary>A shop that a real Prometheus scrapes, with the rules of deploy/prometheus.</summary>
public sealed class WatchedShop : IAsyncLifetime
{
    public Shop Shop { get; private set; } = null!;

    internal PrivatePrometheus Prometheus { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Shop = await Shop.StartAsync(settings: new Dictionary<string, string>
        {
            ["Telemetry__SampleSeconds"] = "0.2",
        });
        Prometheus = await PrivatePrometheus.StartAsync(Shop);
    }

    public async Task DisposeAsync()
    {
        if (Prometheus is not null) await Prometheus.DisposeAsync();
        if (Shop is not null) await Shop.DisposeAsync();
    }
}

/// <summary>The rules, the page that names them and the metrics of the processes fit together.</summary>
public sealed class AlertTests(WatchedShop watched, ITestOutputHelper output)
    : ShopTests(watched.Shop, output), IClassFixture<WatchedShop>
{
    private readonly PrivatePrometheus prometheus = watched.Prometheus;

    [Fact]
    public async Task Promtool_accepts_the_configuration_the_rules_and_their_tests()
    {
        await prometheus.CheckAsync("check", "config", "prometheus.yml");
        await prometheus.CheckAsync("check", "rules", "alerts.yml");
        await prometheus.CheckAsync("test", "rules", "alerts.tests.yml");
    }

    [Fact]
    public async Task Each_rule_has_a_series_at_its_limit_and_one_beyond_it()
    {
        var tests = await File.ReadAllTextAsync(Path.Combine(PrivatePrometheus.Shipped, "alerts.tests.yml"));
        // Further tests are of one rule each.
        var series = tests.Split("input_series:")[1..3];
        foreach (var rule in await prometheus.RulesAsync())
        {
            series[1].ShouldContain($"alertname=\"{rule.Name}\"");
            foreach (var metric in rule.Metrics) series.ShouldAllBe(part => part.Contains(metric + "{"));
        }
    }

    [Fact]
    public async Task The_page_and_the_rules_have_the_same_alerts_limits_and_sections()
    {
        var rules = await prometheus.RulesAsync();
        AlarmRow.Names.Order().ShouldBe(rules.Select(rule => rule.Name).Order());
        AlarmRow.All.Count.ShouldBeGreaterThan(20);
        foreach (var row in AlarmRow.All)
        {
            var rule = rules.Single(rule => rule.Name == row.Name);
            rule.Metrics.ShouldContain(name => name.StartsWith(row.Metric, StringComparison.Ordinal), row.Metric);
            rule.Query.ShouldEndWith(row.Limit);
            rule.Query.Contains("increase(", StringComparison.Ordinal).ShouldBe(
                row.Grows || row.When.Contains(" in ", StringComparison.Ordinal), row.Metric);
            (rule.For, rule.Section).ShouldBe((row.For, row.Section), row.Metric);
        }

        AlarmRow.Paragraphs.ShouldNotBeEmpty();
        AlarmRow.Paragraphs.ShouldAllBe(text => AlarmRow.Names.Any(name => text.Contains(name)));
        foreach (var rule in rules)
        {
            rule.Severity.ShouldBeOneOf("critical", "warning");
            rule.Summary.ShouldEndWith(".");
            AlarmRow.Headings.ShouldContain(
                heading => heading.StartsWith(rule.Section, StringComparison.Ordinal), rule.Description);
            rule.Section.ShouldNotBeEmpty(rule.Description);
        }
    }

    [Fact]
    public async Task Every_metric_and_label_of_a_rule_is_one_that_a_process_shows()
    {
        using var created = await Shop.Commands.Http.PostAsJsonAsync("/categories", Bodies.Category("Measured"));
        var token = created.Headers.GetValues("Consistency-Token").Single();
        using var seen = await new TracedCaller().SendAsync(
            Shop.Queries, HttpMethod.Get, "/categories/cursor", token: token);
        // A change is visible to the token from its commit on, and measured after its tags were raised.
        await Eventually.Holds(
            async () => (await Shop.Projector.MetricsAsync()).Sum("apexshop_visible_duration_seconds_count") > 0,
            "the change is measured");
        var families = new List<TestKit.Metrics.MetricFamily>();
        foreach (var process in (ShopProcess[])[Shop.Commands, Shop.Projector, Shop.Queries])
            families.AddRange((await process.MetricsAsync()).Families);
        var rules = await prometheus.RulesAsync();

        var shown = families.SelectMany(family => family.Type == "histogram"
            ? (string[])[$"{family.Name}_bucket", $"{family.Name}_count", $"{family.Name}_sum"]
            : [family.Name]);
        // Prometheus makes this one itself.
        var read = rules.SelectMany(rule => rule.Metrics).Distinct().Except(["up"]).ToList();
        read.Count.ShouldBeGreaterThan(20);
        read.Except(shown).ShouldBeEmpty();
        // Prometheus adds the job and the instance.
        var labels = rules.SelectMany(rule => rule.Labels).Where(one => one.Label is not "job").Distinct().ToList();
        labels.ShouldContain(("apexshop_command_duration_seconds_count", "outcome"));
        labels.Where(one => !families.Any(family => family.Samples.Any(
            sample => sample.Name == one.Metric && sample[one.Label] is not null))).ShouldBeEmpty();
        // The share of failed requests is without probes, by this route.
        families.SelectMany(family => family.Samples).ShouldContain(sample => sample["http_route"] == "/health/ready");
    }

    [Fact]
    public async Task A_parked_event_fires_its_alert_and_no_other_one_until_it_is_replayed()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Watched"));
        await State.ProjectedAsync();
        await ExecuteAsync("ALTER TABLE read.categories ADD CONSTRAINT poison CHECK (name <> 'Poison')");
        await Eventually.Holds(
            async () => (await prometheus.RulesAsync()).All(rule => rule.IsOk) && await TargetsAsync("up") == 3,
            "Prometheus has scraped all processes and evaluated all rules");
        await EvaluatedAsync();
        (await prometheus.FiringAsync()).ShouldBeEmpty();

        await Client.ReplaceAsync(Resource.Categories.Name, category.Id, Bodies.Category("Poison"));
        await Eventually.Holds(
            async () => (await prometheus.FiringAsync()).Contains("ApexShopAggregateParked"), "the alert fires");
        await EvaluatedAsync();
        (await prometheus.FiringAsync()).ShouldBe(["ApexShopAggregateParked"]);
        var alert = (await prometheus.GetAsync("alerts"))["alerts"]!.AsArray()
            .Single(one => (string)one!["labels"]!["alertname"]! == "ApexShopAggregateParked")!;
        ((string)alert["annotations"]!["summary"]!).ShouldContain("could not be applied: 1;");

        await ExecuteAsync("ALTER TABLE read.categories DROP CONSTRAINT poison");
        using var replayed = await Shop.Commands.Http.PostAsync("/admin/parked/replay", content: null);
        replayed.EnsureSuccessStatusCode();
        await Eventually.Holds(async () => (await prometheus.FiringAsync()).Count == 0, "the alert has ended");
    }

    private async Task<int> TargetsAsync(string health) => (await prometheus.GetAsync("targets"))["activeTargets"]!
        .AsArray().Count(target => (string)target!["health"]! == health);

    // Every group is evaluated twice, so that each rule has seen what was scraped before.
    private async Task EvaluatedAsync()
    {
        var before = await EvaluationsAsync();
        await Eventually.Holds(
            async () => (await EvaluationsAsync()).Zip(before).All(pair => pair.First > pair.Second + 2),
            "all rules are evaluated again");
    }

    private async Task<List<double>> EvaluationsAsync() =>
    [
        .. (await prometheus.GetAsync("rules"))["groups"]!.AsArray()
            .Select(group => DateTimeOffset.Parse((string)group!["lastEvaluation"]!, provider: null))
            .Select(time => time.ToUnixTimeMilliseconds() / 1000d),
    ];

    private async Task ExecuteAsync(string sql)
    {
        await using var database = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
