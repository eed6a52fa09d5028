using System.Net;
using ApexShop.Access;
using ApexShop.Consistency;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Queries.Api.Tests.Telemetry;

public sealed class QueryMetricsTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task Rejected_requests_are_counted_by_whether_they_have_a_key_and_not_by_caller()
    {
        await using var app = App().With("Limits:AnonymousRate:Requests", 1).With("Limits:AnonymousRate:Seconds", 3600)
            .With("Limits:AnonymousRate:Burst", 2);
        using var anonymous = app.CreateClient();
        for (var i = 0; i < 5; i++) await anonymous.GetAsync("products/1");

        var page = await PageAsync(app);
        page.Value("apexshop_requests_refused_total", "caller", "anonymous").ShouldBe(3);
        page["apexshop_requests_refused_total"].Samples.Count.ShouldBe(1);
    }

    [Fact]
    public async Task A_wait_for_a_change_is_measured_with_either_outcome()
    {
        await using var app = App().With("Consistency:WaitMilliseconds", 2_000);
        using var http = app.CreateClient();
        // The first connection to the database has no part of the time limit.
        await http.GetAsync("products/1");
        (await http.GetAsync("products/1", ConsistencyToken.Header, Token(1))).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await http.GetAsync("products/1", ConsistencyToken.Header, Token(1_000)))
            .StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);

        var page = await PageAsync(app);
        page.Value("apexshop_consistency_wait_seconds_count", "outcome", "seen").ShouldBe(1);
        page.Value("apexshop_consistency_wait_seconds_count", "outcome", "late").ShouldBe(1);
        page.Value("apexshop_consistency_wait_seconds_sum", "outcome", "late")!.Value.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_stream_is_open_until_it_has_ended_and_a_rejected_one_is_counted()
    {
        await using var app = App().With("Streaming:Concurrent", 1);
        using var http = app.CreateClient();
        await using var locked = await shop.LockAsync("read.products");
        var export = http.GetAsync("products/export/ndjson");
        await TestKit.Eventually.Holds(async () => await OpenAsync() == 1, "the export is open");
        using (var refused = await http.GetAsync("products/export/ndjson"))
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "streams.busy");
        (await OpenAsync()).ShouldBe(1);

        await locked.DisposeAsync();
        using (var sent = await export) sent.StatusCode.ShouldBe(HttpStatusCode.OK);
        await TestKit.Eventually.Holds(async () => await OpenAsync() == 0, "the export has ended");
        (await PageAsync(app)).Value("apexshop_streams_refused_total").ShouldBe(1);

        async Task<double?> OpenAsync() => (await PageAsync(app)).Value("apexshop_streams_open");
    }

    [Fact]
    public async Task Hits_are_counted_by_level()
    {
        await using var app = App().WithCache();
        using var http = app.CreateClient();
        await TestKit.Eventually.Holds(
            async () =>
            {
                await http.GetAsync("products/1");
                return (await PageAsync(app)).Value("apexshop_cache_hits_total", "level", "memory") > 0;
            },
            "a second answer comes from memory");
        (await PageAsync(app)).Sum("apexshop_cache_misses_total").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_page_that_another_process_has_read_is_a_hit_in_Redis_and_no_miss()
    {
        await using var first = App().WithCache();
        await using var second = App().WithCache().With("Caching:Prefix", first.CachePrefix);
        using var reader = first.CreateClient();
        using var other = second.CreateClient();
        var pages = 0;
        await TestKit.Eventually.Holds(
            async () =>
            {
                var path = $"products/v2?pageSize={++pages}";
                await reader.GetAsync(path);
                await other.GetAsync(path);
                return (await PageAsync(second)).Value("apexshop_cache_hits_total", "level", "redis") > 0;
            },
            "a page comes from Redis");

        var page = await PageAsync(second);
        page.Value("apexshop_cache_hits_total", "level", "redis").ShouldBe(1);
        (page.Value("apexshop_cache_misses_total") ?? 0).ShouldBe(pages - 1);
    }

    private static string Token(long version) =>
        TestKeys.Tokens.Write(new ConsistencyToken([new("products", 1, version)]));

    private QueriesApp App() => new QueriesApp(shop.Database.Queries).WithKey(0, "scraper", Scopes.MetricsRead);

    private static async Task<MetricsText> PageAsync(QueriesApp app)
    {
        using var scraper = app.CreateClient();
        scraper.DefaultRequestHeaders.Authorization = new("Bearer", "scraper");
        return MetricsText.Parse(await scraper.GetStringAsync("metrics"));
    }
}
