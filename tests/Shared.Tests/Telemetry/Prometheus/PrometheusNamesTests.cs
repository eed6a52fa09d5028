using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Shared.Tests.Telemetry.Prometheus;

public sealed class PrometheusNamesTests
{
    [Theory]
    [InlineData("apexshop.outbox.pending", "{event}", false, "apexshop_outbox_pending")]
    [InlineData("apexshop.command.duration", "s", false, "apexshop_command_duration_seconds")]
    [InlineData("apexshop.cache.hits", "{answer}", true, "apexshop_cache_hits_total")]
    [InlineData("dotnet.gc.heap.total_allocated", "By", true, "dotnet_gc_heap_total_allocated_bytes_total")]
    [InlineData("apexshop.stream.kept_bytes", "By", false, "apexshop_stream_kept_bytes")]
    [InlineData("already.total", null, true, "already_total")]
    [InlineData("kestrel.active-connections", "1", false, "kestrel_active_connections")]
    [InlineData("9.lives", null, false, "_9_lives")]
    public void A_name_has_the_suffix_of_its_unit_and_a_counter_the_suffix_total(
        string name, string? unit, bool isCounter, string expected) =>
        PrometheusNames.Metric(name, unit, isCounter).ShouldBe(expected);

    [Theory]
    [InlineData("a 1")]
    [InlineData("# TYPE a counter\n# HELP a A.\na 1\n")]
    [InlineData("# HELP a A.\n# TYPE a gauge\na{b=\"c\"} 1\na{b=\"c\"} 2\n")]
    [InlineData("# HELP a A.\n# TYPE a gauge\na{b=\"c\nd\"} 1\n")]
    [InlineData("# HELP a A.\n# TYPE a gauge\nb 1\n")]
    [InlineData("# HELP a A.\n# TYPE a counter\na 1\n")]
    [InlineData("# HELP a A.\n# TYPE a gauge\na 1,5\n")]
    [InlineData("# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n")]
    [InlineData("# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n")]
    public void The_parser_of_these_tests_refuses_an_invalid_page(string text) =>
        Should.Throw<FormatException>(() => MetricsText.Parse(text));
}
