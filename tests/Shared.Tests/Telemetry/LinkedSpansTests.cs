using System.Diagnostics;
using ApexShop.Telemetry;

namespace ApexShop.Shared.Tests.Telemetry;

public sealed class LinkedSpansTests : IDisposable
{
    private readonly ActivitySource source = new($"ApexShop.Test.{Guid.NewGuid():N}");
    private readonly ActivityListener listener;

    public LinkedSpansTests()
    {
        listener = new ActivityListener
        {
            ShouldListenTo = heard => heard.Name == source.Name,
            Sample = (ref _) => ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(listener);
    }

    public void Dispose()
    {
        listener.Dispose();
        source.Dispose();
    }

    [Fact]
    public void The_work_of_one_request_is_its_child_however_many_events_it_made()
    {
        var request = Context();
        using var span = Start([Text(request), null, Text(request)]);

        (span.TraceId, span.ParentSpanId).ShouldBe((request.TraceId, request.SpanId));
        span.Links.ShouldBeEmpty();
    }

    [Fact]
    public void A_step_between_is_the_parent_when_it_belongs_to_the_same_trace()
    {
        var request = Context();
        var between = new ActivityContext(request.TraceId, ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        using (var span = Start([Text(request)], between)) span.ParentSpanId.ShouldBe(between.SpanId);
        using (var other = Start([Text(request)], Context())) other.ParentSpanId.ShouldBe(request.SpanId);
    }

    [Fact]
    public void The_work_of_several_requests_is_linked_to_each_and_the_child_of_none()
    {
        ActivityContext[] requests = [Context(), Context(), Context()];
        using var running = source.StartActivity("whatever runs now");
        using var span = Start(requests.Select(Text));

        span.ParentId.ShouldBeNull();
        span.TraceId.ShouldNotBe(running!.TraceId);
        span.Links.Select(link => link.Context.SpanId).ShouldBe(requests.Select(request => request.SpanId));
    }

    [Fact]
    public void A_span_has_only_so_many_links()
    {
        using var span = Start(Enumerable.Range(0, 500).Select(_ => Text(Context())));
        span.Links.Count().ShouldBe(128);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no trace at all")]
    [InlineData("00-00000000000000000000000000000000-0000000000000000-01")]
    public void What_is_no_trace_context_is_no_cause(string text)
    {
        using var span = Start([text]);
        (span.ParentId, span.Links.Count()).ShouldBe((null, 0));
    }

    [Fact]
    public void Nothing_is_started_when_nobody_listens()
    {
        using var unheard = new ActivitySource("ApexShop.Unheard");
        unheard.StartLinked("work", ActivityKind.Internal, [Text(Context())]).ShouldBeNull();
    }

    private static ActivityContext Context() => new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);

    private static string Text(ActivityContext context) => $"00-{context.TraceId}-{context.SpanId}-01";

    private Activity Start(IEnumerable<string?> causes, ActivityContext nearest = default) =>
        source.StartLinked("work", ActivityKind.Consumer, causes, nearest)!;
}
