using ApexShop.Commands.Api.Operations.Console;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

public sealed class CacheStatusReaderTests
{
    [Fact]
    public void Counters_are_added_up_by_level_and_other_metrics_are_ignored()
    {
        const string page = """
            # HELP apexshop_cache_hits_total Answers that were found current.
            # TYPE apexshop_cache_hits_total counter
            apexshop_cache_hits_total{level="memory"} 12
            apexshop_cache_hits_total{level="memory",kind="pages"} 1.5e2 1700000000000
            apexshop_cache_hits_total{level="redis"} 7
            # TYPE apexshop_cache_misses_total counter
            apexshop_cache_misses_total 3
            apexshop_cache_stale_total{level="memory"} 99
            http_server_request_duration_seconds_bucket{le="0.005"} 1000
            """;

        CacheStatusReader.CountsOf(page).ShouldBe(new CacheCounts(162, 7, 3));
    }

    [Theory]
    [InlineData("")]
    [InlineData(
        "<html>\napexshop_cache_hits\napexshop_cache_misses_total\napexshop_cache_misses_total{\n"
        + "apexshop_cache_misses_total x")]
    [InlineData("apexshop_cache_hits_total{level=\"memory\"} NaN?\napexshop_cache_hits_total{level=\"memory\"}")]
    public void A_page_without_counters_gives_zero(string page) =>
        CacheStatusReader.CountsOf(page).ShouldBe(new CacheCounts(0, 0, 0));
}
