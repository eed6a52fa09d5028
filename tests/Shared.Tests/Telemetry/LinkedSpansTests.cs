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
            ShouldListenTo = listened => listened.Name == source.Name,
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
    public void Several_events_of_one_request_are_processed_in_one_child_span_of_it()
    {
        var request = Context();
        using var span = Start([Text(request), null, Text(request)]);

        (span.TraceId, span.ParentSpanId).ShouldBe((request.TraceId, request.SpanId));
        span.Links.ShouldBeEmpty();
    }

    [Fact]
    public void The_span_of_the_sender_is_the_parent_when_it_belongs_to_the_same_trace()
    {
        var request = Context();
        var sender = new ActivityContext(request.TraceId, ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        using (var span = Start([Text(request)], sender)) span.ParentSpanId.ShouldBe(sender.SpanId);
        using (var other = Start([Text(request)], Context())) other.ParentSpanId.ShouldBe(request.SpanId);
    }

    [Fact]
    public void Events_of_several_requests_are_processed_in_a_new_trace_with_a_link_to_each()
    {
        ActivityContext[] requests = [Context(), Context(), Context()];
        using var running = source.StartActivity("another activity");
        using var span = Start(requests.Select(Text));

        span.ParentId.ShouldBeNull();
        span.TraceId.ShouldNotBe(running!.TraceId);
        span.Links.Select(link => link.Context.SpanId).ShouldBe(requests.Select(request => request.SpanId));
    }

    [Fact]
    public void A_span_has_at_most_128_links()
    {
        using var span = Start(Enumerable.Range(0, 500).Select(_ => Text(Context())));
        span.Links.Count().ShouldBe(128);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no trace at all")]
    [InlineData("00-00000000000000000000000000000000-0000000000000000-01")]
    public void Text_that_is_not_a_trace_context_is_ignored(string text)
    {
        using var span = Start([text]);
        (span.ParentId, span.Links.Count()).ShouldBe((null, 0));
    }

    [Fact]
    public void No_span_is_started_without_a_listener()
    {
        using var ignored = new ActivitySource("ApexShop.Ignored");
        ignored.StartLinked("work", ActivityKind.Internal, [Text(Context())]).ShouldBeNull();
    }

    private static ActivityContext Context() =>
        new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);

    private static string Text(ActivityContext context) => $"00-{context.TraceId}-{context.SpanId}-01";

    private Activity Start(IEnumerable<string?> traceParents, ActivityContext sender = default) =>
        source.StartLinked("work", ActivityKind.Consumer, traceParents, sender)!;
}
