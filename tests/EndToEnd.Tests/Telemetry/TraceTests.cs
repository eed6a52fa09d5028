using System.Net;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Telemetry;

public sealed class TraceTests(ObservedShop observed, ITestOutputHelper output)
    : ShopTests(observed.Shop, output), IClassFixture<ObservedShop>
{
    private const string Commands = "apexshop-commands", Projector = "apexshop-projector", Queries = "apexshop-queries";

    private readonly Collector collector = observed.Collector;

    [Fact]
    public async Task One_trace_leads_from_the_command_through_log_broker_and_projector_to_the_query_that_sees_it()
    {
        // The first change of new processes may take so long that the Projector reads it from the log instead.
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("First"));
        await State.ProjectedAsync();
        var caller = new TracedCaller();
        using var created =
            await caller.SendAsync(Shop.Commands, HttpMethod.Post, "/categories", Bodies.Category("Traced"));
        created.StatusCode.ShouldBe(HttpStatusCode.Created);
        var token = created.Headers.GetValues("Consistency-Token").Single();
        using var seen = await caller.SendAsync(
            Shop.Queries, HttpMethod.Get, new Uri(created.Headers.Location!.ToString()).AbsolutePath, token: token);
        seen.StatusCode.ShouldBe(HttpStatusCode.OK);

        var spans = await collector.TraceAsync(
            caller.Trace, "POST /categories", "publish categories", $"{Shop.Exchange} send",
            $"{Shop.ProjectorQueue} receive",
            $"{Shop.ProjectorQueue} process", "apply", "GET /categories/{id:int}", "wait for change");
        var post = One(spans, Commands, "POST /categories");
        post.Parent.ShouldBe(caller.Span);
        var publish = One(spans, Commands, "publish categories");
        publish.Parent.ShouldBe(post.Id);
        publish.Tags["messaging.batch.message_count"].ShouldBe("1");

        // Spans of the bus are between the publisher's span and the Projector's span.
        var apply = One(spans, Projector, "apply");
        var way = WayUp(spans, apply);
        foreach (var operation in (string[])["receive", "process"])
        {
            var delivery = way.Single(span => span.Name == $"{Shop.ProjectorQueue} {operation}");
            (delivery.Service, delivery.Source).ShouldBe((Projector, "ApexShop.Projector"));
            delivery.Tags["messaging.system"].ShouldBe("rabbitmq");
            delivery.Tags["messaging.destination.name"].ShouldBe(Shop.ProjectorQueue);
            delivery.Tags["messaging.operation"].ShouldBe(operation);
        }

        way.Where(span => span.Service == Commands).Count(span => span.Source == "MassTransit").ShouldBeGreaterThan(0);
        way.ShouldContain(publish);
        way[^1].ShouldBe(post);
        spans.ShouldContain(span => span.Service == Projector && span.Source == "Npgsql" && span.Parent == apply.Id);

        var get = One(spans, Queries, "GET /categories/{id:int}");
        get.Parent.ShouldBe(caller.Span);
        var wait = One(spans, Queries, "wait for change");
        wait.Parent.ShouldBe(get.Id);
        spans.ShouldNotContain(span => span.Parent == wait.Id);
        wait.Tags["apexshop.changes"].ShouldEndWith("@1");
        get.Tags["http.response.status_code"].ShouldBe("200");
    }

    // The loop that raises what is left may be faster than the change's own raise, and has no trace: not each has one.
    [Fact]
    public async Task The_trace_of_a_command_leads_to_the_tags_it_raises() => await Eventually.Holds(
        async () =>
        {
            var caller = new TracedCaller();
            using var created =
                await caller.SendAsync(Shop.Commands, HttpMethod.Post, "/categories", Bodies.Category("Traced"));
            created.StatusCode.ShouldBe(HttpStatusCode.Created);
            return collector.Spans.Any(raise => raise is { Service: Projector, Name: "raise tags" }
                && collector.Spans.Any(apply => apply.Name == "apply" && apply.Id == raise.Parent));
        },
        "the span of a change has one that raises its tags");

    [Fact]
    public async Task Commands_that_are_applied_together_are_linked_from_one_span()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Together"));
        await State.ProjectedAsync();
        await Shop.Projector.KillAsync();
        TracedCaller[] callers = [new(), new(), new()];
        foreach (var caller in callers)
        {
            using var renamed = await caller.SendAsync(
                Shop.Commands, HttpMethod.Put, $"/categories/{category.Id}",
                Bodies.Category($"Together {caller.Span}"));
            renamed.StatusCode.ShouldBe(HttpStatusCode.OK);
        }

        // They wait in the queue; the restarted Projector applies them in one transaction, or in two when one came
        // late.
        await Shop.Projector.StartAsync();
        await State.ProjectedAsync();

        await Eventually.Holds(
            () => callers.All(caller => collector.Spans.Any(span => span is { Service: Projector, Name: "apply" }
                && (
                    span.Trace == caller.Trace
                        || span.Links.Any(link => link.StartsWith(caller.Trace, StringComparison.Ordinal))))),
            "each command leads to the span that applied it");
    }

    [Fact]
    public async Task Background_work_has_no_trace()
    {
        (await Shop.Queries.Http.GetAsync("/health/ready")).StatusCode.ShouldBe(HttpStatusCode.OK);
        await Eventually.Holds(
            async () => (await Shop.Commands.MetricsAsync()).Value("apexshop_broker_up") == 1,
            "the broker has confirmed a probe");
        var caller = new TracedCaller();
        using var response = await caller.SendAsync(Shop.Queries, HttpMethod.Get, "/categories/cursor");
        using var refused = await caller.SendAsync(Shop.Commands, HttpMethod.Post, "/categories", new { });
        await collector.TraceAsync(caller.Trace, "GET /categories/cursor", "POST /categories");

        string[] polling = ["Npgsql", "MassTransit"];
        collector.Spans.ShouldNotContain(span => span.Parent.Length == 0 && polling.Contains(span.Source));
        collector.Spans.ShouldNotContain(
            span => span.Name.Contains("health", StringComparison.OrdinalIgnoreCase)
                || span.Name.EndsWith("HttpRequestIn", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_span_has_the_route_and_no_values_of_the_request()
    {
        var caller = new TracedCaller();
        using var response =
            await caller.SendAsync(Shop.Queries, HttpMethod.Get, "/users/v2?email=ada.lovelace%40example.com");
        var spans = await collector.TraceAsync(caller.Trace, "GET /users/v2");

        spans.SelectMany(span => span.Tags.Values.Append(span.Name))
            .ShouldAllBe(text => !text.Contains("lovelace", StringComparison.OrdinalIgnoreCase));
        collector.Spans.SelectMany(span => span.Tags.Values)
            .ShouldAllBe(text => !text.Contains(TestKeys.Everything, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Metrics_are_exported_under_their_names()
    {
        (string, string)[] some = [
            (Commands, "apexshop.log.head"), (Projector, "apexshop.projection.position"),
            (Queries, "apexshop.cache.redis_up"), (Queries, "http.server.request.duration"),
        ];
        await Eventually.Holds(() => some.All(collector.Metrics.Contains), "each process exports its metrics");
        collector.Metrics.ShouldNotContain(metric => metric.Metric == "db.client.operation.duration");
    }

    private static Span One(IEnumerable<Span> spans, string service, string name) =>
        spans.Where(span => span.Service == service && span.Name == name).ShouldHaveSingleItem();

    private static List<Span> WayUp(IReadOnlyList<Span> spans, Span from)
    {
        var way = new List<Span> { from };
        while (spans.SingleOrDefault(span => span.Id == way[^1].Parent) is { } parent) way.Add(parent);
        return way;
    }
}
