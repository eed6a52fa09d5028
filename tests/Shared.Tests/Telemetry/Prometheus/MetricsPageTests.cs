using System.Buffers;
using System.Diagnostics.Metrics;
using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;
using ApexShop.TestKit.Metrics;
using MetricFamily = ApexShop.Telemetry.Prometheus.MetricFamily;

namespace ApexShop.Shared.Tests.Telemetry.Prometheus;

public sealed class MetricsPageTests : IDisposable
{
    private readonly MeasuredPage page = new();

    public void Dispose() => page.Dispose();

    [Fact]
    public void A_counter_has_its_type_and_a_sum_for_each_label_set()
    {
        var hits = page.Meter.CreateCounter<long>("apexshop.cache.hits", "{answer}", "Answers that were found.");
        hits.Add(2, new KeyValuePair<string, object?>("level", "memory"));
        hits.Add(3, new KeyValuePair<string, object?>("level", "memory"));
        hits.Add(7, new KeyValuePair<string, object?>("level", "redis"));

        page.Text().ShouldContain("""
            # HELP apexshop_cache_hits_total Answers that were found.
            # TYPE apexshop_cache_hits_total counter
            apexshop_cache_hits_total{level="memory"} 5
            apexshop_cache_hits_total{level="redis"} 7

            """);
        page.Read().Value("apexshop_cache_hits_total", "level", "redis").ShouldBe(7);
    }

    [Fact]
    public void A_histogram_is_cumulative_and_a_bound_belongs_to_its_bucket()
    {
        var advice = new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.1, 1, 10] };
        var time = page.Meter.CreateHistogram("apexshop.test.duration", "s", "Time.", advice: advice);
        foreach (var seconds in (double[])[0.05, 0.1, 0.5, 1, 10, 11]) time.Record(seconds);

        var read = page.Read();
        read["apexshop_test_duration_seconds"].Type.ShouldBe("histogram");
        read.Samples.Where(sample => sample.Name == "apexshop_test_duration_seconds_bucket")
            .Select(sample => (sample["le"], sample.Value))
            .ShouldBe([("0.1", 2), ("1", 4), ("10", 5), ("+Inf", 6)]);
        read.Value("apexshop_test_duration_seconds_count").ShouldBe(6);
        read.Value("apexshop_test_duration_seconds_sum").ShouldBe(22.65);
    }

    [Fact]
    public void An_up_down_counter_is_a_gauge()
    {
        var open = page.Meter.CreateUpDownCounter<int>("apexshop.streams.open");
        open.Add(3);
        open.Add(-2);
        page.Meter.CreateGauge<double>("apexshop.test.last", "s").Record(1.5);

        var read = page.Read();
        (read["apexshop_streams_open"].Type, read.Value("apexshop_streams_open")).ShouldBe(("gauge", 1));
        (read["apexshop_test_last_seconds"].Type, read.Value("apexshop_test_last_seconds")).ShouldBe(("gauge", 1.5));
    }

    [Fact]
    public void A_gauge_is_read_each_time_and_a_label_set_that_it_no_longer_reports_is_removed()
    {
        var waiting = new Dictionary<string, int> { ["products"] = 3, ["orders"] = 1 };
        page.Meter.CreateObservableGauge("apexshop.test.waiting", () => waiting.Select(
            one => new Measurement<int>(one.Value, new KeyValuePair<string, object?>("resource", one.Key))));
        page.Meter.CreateObservableCounter("apexshop.test.moved", () => waiting.Values.Sum());
        page.Read().Value("apexshop_test_waiting", "resource", "orders").ShouldBe(1);

        waiting.Remove("orders");
        waiting["products"] = 5;

        var read = page.Read();
        read["apexshop_test_waiting"].Samples.Select(sample => (sample["resource"], sample.Value))
            .ShouldBe([("products", 5)]);
        read.Value("apexshop_test_moved_total").ShouldBe(5);
    }

    [Fact]
    public void The_totals_of_several_pools_with_the_same_labels_are_added_in_each_scrape()
    {
        var open = new List<int> { 3, 4 };
        page.Meter.CreateObservableUpDownCounter("apexshop.test.open", () => open.Select(
            count => new Measurement<int>(count, new KeyValuePair<string, object?>("pool", "commands"))));
        page.Read().Value("apexshop_test_open", "pool", "commands").ShouldBe(7);

        open[1] = 1;
        page.Read().Value("apexshop_test_open", "pool", "commands").ShouldBe(4);
    }

    [Fact]
    public void A_failing_gauge_does_not_affect_the_others()
    {
        page.Meter.CreateObservableGauge("apexshop.test.broken", int () => throw new InvalidOperationException("no"));
        page.Meter.CreateObservableGauge("apexshop.test.whole", () => 1);

        page.Read().Value("apexshop_test_whole").ShouldBe(1);
    }

    [Fact]
    public void Descriptions_and_labels_with_special_characters_are_escaped()
    {
        const string nasty = "a\"b\\c\nd{e}=f,g é";
        page.Meter.CreateCounter<long>("apexshop.test.nasty", null, "Two\nlines and a \\ slash.")
            .Add(1, new KeyValuePair<string, object?>("what.it-is", nasty));

        var family = page.Read()["apexshop_test_nasty_total"];
        family.Help.ShouldBe("Two\nlines and a \\ slash.");
        family.Samples.Single()["what_it_is"].ShouldBe(nasty);
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    [InlineData(1e-7)]
    [InlineData(1.7976931348623157e308)]
    [InlineData(9007199254740991)]
    [InlineData(-0.1)]
    public void Every_number_is_parsed_as_it_was_recorded(double value)
    {
        page.Meter.CreateObservableGauge("apexshop.test.number", () => value);
        page.Read().Value("apexshop_test_number").ShouldBe(value);
    }

    [Fact]
    public void The_order_of_labels_has_no_meaning()
    {
        var counter = page.Meter.CreateCounter<long>("apexshop.test.order");
        counter.Add(1, new("a", 1), new("b", "x"));
        counter.Add(1, new("b", "x"), new("a", 1L));
        page.Read()["apexshop_test_order_total"].Samples.Single().Value.ShouldBe(2);
    }

    [Fact]
    public void What_a_client_chooses_about_its_connection_is_no_label()
    {
        var counter = page.Meter.CreateCounter<long>("apexshop.test.requests");
        foreach (var version in (string[])["1.0", "1.1", "2"])
        {
            foreach (var scheme in (string[])["http", "https"])
            {
                counter.Add(
                    1, new("network.protocol.version", version), new("url.scheme", scheme),
                    new("http.route", "/users"));
            }
        }

        var sample = page.Read()["apexshop_test_requests_total"].Samples.Single();
        sample.Value.ShouldBe(6);
        sample["http_route"].ShouldBe("/users");
    }

    [Fact]
    public void Label_sets_beyond_the_maximum_are_counted_in_one_overflow_series()
    {
        var counter = page.Meter.CreateCounter<long>("apexshop.test.many");
        for (var i = 0; i < 3 * MetricFamily.MaxSeries; i++)
            counter.Add(1, new KeyValuePair<string, object?>("id", i));

        var samples = page.Read()["apexshop_test_many_total"].Samples;
        samples.Count.ShouldBe(MetricFamily.MaxSeries + 1);
        samples.Single(sample => sample["otel_metric_overflow"] == "true").Value.ShouldBe(2 * MetricFamily.MaxSeries);
        samples.Sum(sample => sample.Value).ShouldBe(3 * MetricFamily.MaxSeries);
    }

    [Fact]
    public void The_statuses_of_responses_are_counted_also_beyond_the_maximum()
    {
        var counter = page.Meter.CreateCounter<long>("apexshop.test.statuses");
        for (var i = 0; i < MetricFamily.MaxSeries + 2; i++) Add(i, 200);
        Add(0, 503);
        Add(1, 503);

        var beyond = page.Read()["apexshop_test_statuses_total"].Samples
            .Where(sample => sample["otel_metric_overflow"] == "true")
            .ToDictionary(sample => sample["http_response_status_code"]!, sample => sample.Value);
        beyond.ShouldBe(new Dictionary<string, double> { ["200"] = 2, ["503"] = 2 });

        void Add(int id, int status) => counter.Add(1, new("id", id), new("http.response.status_code", status));
    }

    [Fact]
    public void Other_meters_are_exported_only_if_they_were_selected()
    {
        page.Meters.Create("Someone.Else").CreateCounter<long>("elsewhere").Add(1);
        page.Meters.Create("Npgsql").CreateCounter<long>("db.client.connection.npgsql.timeouts").Add(1);
        using var otherHost = new MeasuredPage();
        otherHost.Meter.CreateCounter<long>("apexshop.test.mine").Add(1);

        var names = page.Read().Families.Select(family => family.Name).ToList();
        names.ShouldContain("db_client_connection_npgsql_timeouts_total");
        names.ShouldContain("dotnet_process_memory_working_set_bytes");
        names.ShouldNotContain("elsewhere_total");
        names.ShouldNotContain("apexshop_test_mine_total");
    }

    [Fact]
    public void A_second_instrument_of_another_kind_with_the_same_name_is_ignored()
    {
        page.Meter.CreateCounter<long>("apexshop.test.twice").Add(1);
        page.Meter.CreateObservableGauge("apexshop.test.twice.total", () => 5);
        page.Read().Value("apexshop_test_twice_total").ShouldBe(1);
    }

    [Fact]
    public async Task Concurrent_recording_and_scraping_lose_and_double_nothing()
    {
        const int Threads = 8, Each = 250_000;
        var counter = page.Meter.CreateCounter<long>("apexshop.test.concurrent");
        var histogram = page.Meter.CreateHistogram<double>("apexshop.test.measured", "s");
        using var over = new CancellationTokenSource();
        var looking = Task.Run(() =>
        {
            for (var seen = 0.0; !over.IsCancellationRequested;)
            {
                // Every page is consistent: the parser compares counts with buckets, and no value decreases.
                var now = page.Read().Sum("apexshop_test_measured_seconds_count");
                now.ShouldBeGreaterThanOrEqualTo(seen);
                seen = now;
            }
        });

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(_ => Task.Run(() =>
        {
            for (var i = 0; i < Each; i++)
            {
                counter.Add(1, new KeyValuePair<string, object?>("label", i % 50));
                histogram.Record(0.5);
            }
        })));
        await over.CancelAsync();
        await looking;

        var read = page.Read();
        read["apexshop_test_concurrent_total"].Samples.Count.ShouldBe(50);
        read.Sum("apexshop_test_concurrent_total").ShouldBe(Threads * Each);
        read.Sum("apexshop_test_measured_seconds_count").ShouldBe(Threads * Each);
        read.Sum("apexshop_test_measured_seconds_sum").ShouldBe(Threads * Each * 0.5);
    }

    [Fact]
    public void Recording_does_not_allocate_and_writing_a_page_allocates_little()
    {
        var counter = page.Meter.CreateCounter<long>("apexshop.test.made");
        var histogram = page.Meter.CreateHistogram<double>("apexshop.test.taken", "s");
        string[] labels = [.. Enumerable.Range(0, 100).Select(i => $"label {i}")];
        Record();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Record();
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);

        var bytes = new ArrayBufferWriter<byte>(1 << 20);
        page.Allocated(bytes);
        page.Allocated(bytes).ShouldBeLessThan(20_000);
        bytes.WrittenCount.ShouldBeGreaterThan(50_000);

        void Record()
        {
            foreach (var label in labels)
            {
                counter.Add(1, new KeyValuePair<string, object?>("label", label));
                histogram.Record(0.2, new KeyValuePair<string, object?>("label", label));
            }
        }
    }
}
