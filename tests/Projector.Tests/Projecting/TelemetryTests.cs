using System.Collections.Concurrent;
using System.Diagnostics;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Telemetry;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class TelemetryTests(ReadStore store) : ProjectorTest(store)
{
    private const string Visible = "apexshop_visible_duration_seconds";

    [Fact]
    public async Task Every_applied_event_is_measured_by_its_source_and_neither_repeats_nor_parked_ones_are()
    {
        using var metered = new MeterReader(Projector.Meters);
        var category = History.Category(1, "Books");
        await Projector.ApplyAsync(category, History.Category(2, "Ink"));
        await Projector.ApplyAsync(category);
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Nul \0 character"));
        // Never delivered: the next one shows the hole, and both are fetched.
        History.Product(12, "Missed");
        await Projector.ApplyAsync(History.Product(13, "Seen"));

        var page = metered.Read();
        page.Value($"{Visible}_count", "via", "message").ShouldBe(3);
        page.Value($"{Visible}_count", "via", "log").ShouldBe(2);
        page.Value($"{Visible}_sum", "via", "log")!.Value.ShouldBeGreaterThanOrEqualTo(0);
    }

    [Fact]
    public async Task Events_applied_together_have_one_span_with_a_link_to_each_request()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == ProjectorMeter.Name,
            Sample = (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        string[] traces = [Trace(), Trace()];

        await Projector.ApplyAsync(
            History.Category(1, "Books") with { TraceParent = traces[0] },
            History.Category(2, "Ink") with { TraceParent = traces[1] },
            History.Category(1, "Books again") with { TraceParent = traces[0] });
        await Projector.ApplyAsync(History.Category(2, "Ink again") with { TraceParent = traces[1] });

        var together = spans.Single(span => span.OperationName == "apply"
            && span.Links.Any(link => traces[0].Contains(link.Context.SpanId.ToHexString(), StringComparison.Ordinal)));
        together.Links.Select(link => $"00-{link.Context.TraceId}-{link.Context.SpanId}-01").ShouldBe(traces);
        together.GetTagItem("messaging.batch.message_count").ShouldBe(3);
        spans.ShouldContain(span => span.OperationName == "raise tags" && span.ParentSpanId == together.SpanId);
        spans.Single(span => span.OperationName == "apply" && span.ParentId == traces[1]).Links.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_sample_has_position_lag_and_the_age_of_the_oldest_event_that_is_not_shown()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        var oldest = History.Product(10, "Pen");
        History.Product(11, "Ink");

        var sample = await TakeAsync(oldest.Time.AddSeconds(90));
        (sample.Lag, sample.Epoch).ShouldBe((2, 1));
        sample.Resources.Single(one => one.Resource == Resource.Products.Name)
            .ShouldBe(new(Resource.Products.Name, 0, 90));
        sample.Resources.Single(one => one.Resource == Resource.Categories.Name)
            .ShouldBe(new(Resource.Categories.Name, 1, 0));

        History.Available = false;
        var blind = await TakeAsync(oldest.Time);
        blind.Lag.ShouldBeNull();
        blind.Resources.ShouldAllBe(one => one.Age == null);
        blind.Resources.Single(one => one.Resource == Resource.Categories.Name).Position.ShouldBe(1);
    }

    [Theory]
    [InlineData("clock_timestamp() - interval '2 seconds'", 2)]
    [InlineData("clock_timestamp() + interval '1 minute'", 0)]
    public async Task Tags_are_pending_when_they_are_not_raised_after_a_second(string since, int pending)
    {
        var category = History.Category(1, "Books");
        await Store.ExecuteAsync(
            $"UPDATE read.projection_state SET pending_tags = '{{a,b}}', pending_since = {since}");

        (await TakeAsync(category.Time)).PendingTags.ShouldBe(pending);
    }

    [Fact]
    public async Task The_lag_is_that_of_the_resource_that_is_furthest_behind()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        History.Product(10, "Pen");
        History.Product(11, "Ink");
        await Projector.ApplyAsync(History.Category(2, "Ink"));
        History.User(5, "Ann", "Lee");

        (await TakeAsync(TimeProvider.System.GetUtcNow())).Lag.ShouldBe(4);

        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await TakeAsync(TimeProvider.System.GetUtcNow())).Lag.ShouldBe(0);
    }

    private async Task<ProjectionSample> TakeAsync(DateTimeOffset now)
    {
        var clock = new ManualClock();
        clock.Advance(now - clock.GetUtcNow());
        await using var database = ReadDatabase.Create(Store.Database.Projector);
        using var http = new HttpClient(History, disposeHandler: false) { BaseAddress = new Uri("http://log/") };
        return await ProjectionSample.TakeAsync(database, new EventLogClient(http), clock, CancellationToken.None);
    }

    private static string Trace() => $"00-{ActivityTraceId.CreateRandom()}-{ActivitySpanId.CreateRandom()}-01";
}
