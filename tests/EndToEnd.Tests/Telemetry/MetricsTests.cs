using System.Net;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Telemetry;

public sealed class MetricsTests(ObservedShop observed, ITestOutputHelper output)
    : ShopTests(observed.Shop, output), IClassFixture<ObservedShop>
{
    private ShopProcess[] Processes => [Shop.Commands, Shop.Projector, Shop.Queries];

    [Fact]
    public async Task A_page_of_metrics_needs_its_scope()
    {
        foreach (var process in Processes)
        {
            using var page = await process.Http.GetAsync("/metrics");
            page.StatusCode.ShouldBe(HttpStatusCode.OK);
            page.Content.Headers.ContentType!.ToString().ShouldBe("text/plain; version=0.0.4; charset=utf-8");
            using var stranger = new HttpClient { BaseAddress = process.Url };
            using var unknown = await stranger.GetAsync("/metrics");
            unknown.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
            stranger.DefaultRequestHeaders.Authorization = new("Bearer", TestKeys.Events);
            using var refused = await stranger.GetAsync("/metrics");
            refused.StatusCode.ShouldBe(HttpStatusCode.Forbidden);
            (await refused.Content.ReadAsStringAsync()).ShouldNotContain("apexshop_");
        }
    }

    [Fact]
    public async Task Every_metric_of_the_shop_is_explained_in_the_docs_and_no_other_one_is()
    {
        // Some metrics appear with their first measurement.
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Measured"));
        await VisibleEventsAsync();
        await Shop.Queries.Http.GetAsync("/categories/cursor");
        var shown = new HashSet<string>();
        foreach (var process in Processes)
            shown.UnionWith((await process.MetricsAsync()).Families.Select(family => family.Name));

        var page = await File.ReadAllLinesAsync(Path.Combine(Repository.Root, "docs", "operations.md"));
        var rows = page.SkipWhile(line => line != "## Where to look")
            .Skip(1)
            .TakeWhile(line => !line.StartsWith("##", StringComparison.Ordinal))
            .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(line => line.Split('`')[1])
            .ToList();
        rows.ShouldBeUnique();
        rows.Where(row => row.StartsWith("apexshop_", StringComparison.Ordinal)).Order()
            .ShouldBe(shown.Where(name => name.StartsWith("apexshop_", StringComparison.Ordinal)).Order());
        // The metrics of the framework and the driver are a selection; a row names one that exists.
        rows.ShouldBeSubsetOf(shown);
    }

    [Fact]
    public async Task A_change_can_be_followed_in_the_metrics()
    {
        var before = await VisibleEventsAsync();
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Measured"));
        for (var i = 0; i < 5; i++)
            await Client.ReplaceAsync(Resource.Categories.Name, category.Id, Bodies.Category($"Measured {i}"));
        await State.ProjectedAsync();

        await Eventually.Holds(
            async () =>
            {
                var (commands, projector) = (await Shop.Commands.MetricsAsync(), await Shop.Projector.MetricsAsync());
                return commands.Value("apexshop_log_head") >= 6
                    && commands.Value("apexshop_outbox_pending") == 0
                    && commands.Value("apexshop_outbox_age_seconds") == 0
                    && commands.Value("apexshop_log_published") == commands.Value("apexshop_log_head")
                    && commands.Value("apexshop_log_position", "resource", "categories") == projector.Value(
                        "apexshop_projection_position", "resource", "categories")
                    && projector.Value("apexshop_projection_age_seconds", "resource", "categories") == 0
                    && projector.Sum("apexshop_visible_duration_seconds_count") == before + 6
                    && projector.Value("apexshop_projection_lag") == 0
                    && projector.Value("apexshop_queue_messages") == 0;
            },
            "the gauges show that nothing is pending");
        var page = await Shop.Commands.MetricsAsync();
        page.Value("apexshop_outbox_leader").ShouldBe(1);
        page.Value("apexshop_broker_up").ShouldBe(1);
        page.Sum("apexshop_events_published_total").ShouldBeGreaterThanOrEqualTo(6);
        page.Samples.Where(
            sample => sample.Name == "apexshop_command_duration_seconds_count" && sample["command"] == "UpdateCategory")
                .Sum(sample => sample.Value)
                .ShouldBeGreaterThanOrEqualTo(5);
        (await Shop.Projector.MetricsAsync()).Value("apexshop_queue_consumers").ShouldBe(1);
    }

    [Fact]
    public async Task A_blocked_projection_shows_in_the_age_of_the_oldest_event()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Waits"));
        var before = await VisibleEventsAsync();
        await using var holder = new NpgsqlConnection(Shop.Database.Projector);
        await holder.OpenAsync();
        await using var transaction = await holder.BeginTransactionAsync();
        await using (var hold = new NpgsqlCommand("SELECT 1 FROM read.projection_state FOR UPDATE", holder))
            await hold.ExecuteNonQueryAsync();

        await Client.ReplaceAsync(Resource.Categories.Name, category.Id, Bodies.Category("Waits for long"));

        await Eventually.Holds(async () => await AgeAsync() > 1, "the age grows");
        var stuck = await Shop.Projector.MetricsAsync();
        (stuck.Sum("apexshop_visible_duration_seconds_count"), stuck.Value("apexshop_projection_lag"))
            .ShouldBe((before, 1));
        await transaction.RollbackAsync();
        await Eventually.Holds(async () => await AgeAsync() == 0, "no event waits");
        (await VisibleEventsAsync()).ShouldBe(before + 1);
        // The histogram contains the whole delay of the change that waited.
        var slow = (await Shop.Projector.MetricsAsync()).Samples.Where(
            sample => sample.Name == "apexshop_visible_duration_seconds_bucket").ToList();
        slow.Where(bucket => bucket["le"] == "+Inf")
            .Sum(bucket => bucket.Value)
            .ShouldBeGreaterThan(slow.Where(bucket => bucket["le"] == "1").Sum(bucket => bucket.Value));

        async Task<double?> AgeAsync() =>
            (await Shop.Projector.MetricsAsync()).Value("apexshop_projection_age_seconds", "resource", "categories");
    }

    [Fact]
    public async Task There_are_metrics_of_pools_requests_cache_and_runtime()
    {
        var product = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Asked twice"));
        await State.ProjectedAsync();
        for (var i = 0; i < 3; i++) await Client.FindAsync(Resource.Categories.Name, product.Id);

        var page = await Shop.Queries.MetricsAsync();
        page.Value("apexshop_cache_hits_total", "level", "memory").ShouldNotBeNull();
        page.Value("apexshop_cache_redis_up").ShouldBe(1);
        page.Samples.Where(sample => sample.Name == "http_server_request_duration_seconds_count")
            .Select(sample => sample["http_route"]?.Trim('/')).ShouldContain("categories/{id:int}");
        page.Samples.Where(sample => sample.Name == "db_client_connection_max")
            .Select(sample => sample["db_client_connection_pool_name"])
            .ShouldContain("pages");
        page.Value("kestrel_active_connections").ShouldNotBe(0);
        page["dotnet_gc_collections_total"].Samples.ShouldNotBeEmpty();
    }

    [Fact]
    public async Task No_label_contains_a_person_or_a_connection_string()
    {
        await Shop.Queries.Http.GetAsync("/users/v2?email=grace.hopper%40example.com");
        await Shop.Queries.Http.GetAsync("/grace.hopper@example.com");
        foreach (var process in Processes)
        {
            foreach (var text in (await process.MetricsAsync()).Samples.SelectMany(sample => sample.Labels.Values))
            {
                text.ShouldNotContain("hopper");
                text.ShouldNotContain("Username");
                text.ShouldNotContain("assword");
            }
        }
    }

    /// <summary>
    /// The number of events in the metric, when it has all of the log: an event is counted when its tags are raised,
    /// which is after its commit.
    /// </summary>
    private async Task<double> VisibleEventsAsync()
    {
        await State.ProjectedAsync();
        var events = await State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.events");
        var counted = 0d;
        await Eventually.Holds(
            async () =>
            {
                counted = (await Shop.Projector.MetricsAsync()).Sum("apexshop_visible_duration_seconds_count");
                return counted >= events;
            },
            "every event is counted");
        return counted;
    }
}
