using System.Net;
using System.Text;
using ApexShop.Access;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Events;

public sealed class ReadEventsTests(ReadEventsTests.Log log) : IClassFixture<ReadEventsTests.Log>
{
    private const int Count = 2_300;

    public sealed class Log : LogShop
    {
        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            await FillAsync(1, Count);
        }
    }

    public static TheoryData<string> Filters =>
    [
        "resource=orders", "resource=users", "types=apexshop.order.placed",
        "types=apexshop.order.placed,apexshop.product.deleted",
        "types=apexshop.order.placed&types=apexshop.product.created", "types=apexshop.user.created",
        "resource=products&types=apexshop.order.placed",
        "resource=products&types=apexshop.order.placed,apexshop.product.updated", "aggregate=products/14",
        "aggregate=orders/4&aggregate=products/14&aggregate=products/7",
        "aggregate=orders/4&aggregate=products/14&resource=orders", "aggregate=users/4",
        "aggregate=products/14&types=apexshop.product.deleted",
        "aggregate=products/14&aggregate=orders/8&types=apexshop.product.updated,apexshop.order.placed"
            + "&resource=products",
        "",
    ];

    [Fact]
    public async Task Returns_the_whole_log_in_order_with_the_position_of_its_head()
    {
        var answer = await log.ReadAsync("/events");

        answer.Positions.ShouldBe(Enumerable.Range(1, Count).Select(n => (long)n));
        answer.Head.ShouldBe(Count);
        answer.Error.ShouldBeNull();
    }

    [Fact]
    public async Task Resumes_after_a_position_and_stops_at_a_limit()
    {
        (await log.ReadAsync("/events?after=1300")).Positions.ShouldBe(
            Enumerable.Range(1_301, Count - 1_300).Select(n => (long)n));
        (await log.ReadAsync("/events?after=1300&limit=700")).Positions.ShouldBe(
            Enumerable.Range(1_301, 700).Select(n => (long)n));
        (await log.ReadAsync($"/events?after={Count}")).Positions.ShouldBeEmpty();
        (await log.ReadAsync("/events?after=9223372036854775807")).Positions.ShouldBeEmpty();
    }

    [Fact]
    public async Task Returns_one_resource_with_its_chain_of_predecessors()
    {
        var answer = await log.ReadAsync("/events?resource=orders&after=8&limit=3");

        answer.Events.Select(entry => (entry.Position, entry.Previous)).ShouldBe([(12L, 8L), (16L, 12L), (20L, 16L)]);
    }

    [Theory]
    [MemberData(nameof(Filters))]
    public async Task A_filter_returns_the_same_events_of_the_whole_log_and_in_pages(string filter)
    {
        var expected = (await log.ReadAsync("/events")).Events.Where(entry => Takes(filter, entry))
            .Select(entry => entry.Position).ToList();

        (await log.ReadAsync($"/events?{filter}")).Positions.ShouldBe(expected);
        (await InPiecesAsync(filter, expected.Count / 3)).ShouldBe(expected);
    }

    [Theory]
    [MemberData(nameof(Filters))]
    public async Task Compacted_returns_the_last_event_of_each_aggregate_if_the_filter_includes_it(string filter)
    {
        var last = (await log.ReadAsync("/events")).Events.GroupBy(entry => (entry.Resource, entry.AggregateId))
            .Select(aggregate => aggregate.Last());
        var expected = last.Where(entry => Takes(filter, entry)).Select(entry => entry.Position).Order().ToList();

        (await log.ReadAsync($"/events?compacted=true&{filter}")).Positions.ShouldBe(expected);
        (await InPiecesAsync($"compacted=true&{filter}", expected.Count / 3)).ShouldBe(expected);
        if (filter.Length == 0) expected.Count.ShouldBe(60);
    }

    [Fact]
    public async Task A_line_is_the_cloud_event_of_the_log_entry()
    {
        var entry = (await log.ReadAsync("/events?limit=1")).Events.Single();

        entry.Id.ShouldBe(await log.App.ScalarAsync<Guid>("SELECT event_id FROM shop.events WHERE position = 1"));
        (entry.Type, entry.Resource, entry.AggregateId, entry.Previous)
            .ShouldBe(("apexshop.product.created", "products", 7, 0));
        Encoding.UTF8.GetString(entry.Data.Span)
            .ShouldBe("""{"id" : 7, "version" : 1, "filling" : "", "statusHistory" : null}""");
    }

    [Theory]
    [InlineData("after=-1", "after")]
    [InlineData("after=one", "after")]
    [InlineData("limit=0", "limit")]
    [InlineData("limit=2147483648", "limit")]
    [InlineData("limit=", "limit")]
    [InlineData("resource=carts", "resource")]
    [InlineData("types=", "types")]
    [InlineData("types=apexshop.order.placed,apexshop.order.misplaced", "types")]
    [InlineData("aggregate=products", "aggregate")]
    [InlineData("aggregate=carts/1", "aggregate")]
    [InlineData("aggregate=products/1/2", "aggregate")]
    [InlineData("aggregate=products/-1", "aggregate")]
    [InlineData("aggregate=products/2147483648", "aggregate")]
    [InlineData("compacted=yes", "compacted")]
    public async Task An_invalid_parameter_is_named(string query, string name)
    {
        var answer = await log.App.SendAsync(HttpMethod.Get, $"/events?{query}", null);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name]);
    }

    [Fact]
    public async Task At_most_a_hundred_aggregates_can_be_requested()
    {
        var hundred = string.Join('&', Enumerable.Range(0, 100).Select(id => $"aggregate=products/{id}"));
        (await log.ReadAsync($"/events?{hundred}")).Events.ShouldAllBe(
            entry => entry.Resource == Resource.Products.Name);

        (await log.App.SendAsync(HttpMethod.Get, $"/events?{hundred}&aggregate=products/100", null))
            .ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData(Scopes.Admin, HttpStatusCode.Forbidden)]
    [InlineData(Scopes.EventsRead, HttpStatusCode.OK)]
    public async Task Needs_the_scope_events_read(string? scope, HttpStatusCode status)
    {
        using var client = log.App.ClientWith(scope);
        using var response = await client.GetAsync("/events?resource=products&limit=1");

        response.StatusCode.ShouldBe(status);
    }

    // An independent implementation of the documented parameters.
    private static bool Takes(string filter, LogEntry entry)
    {
        var asked = filter.Split('&', StringSplitOptions.RemoveEmptyEntries).Select(one => one.Split('='))
            .ToLookup(one => one[0], one => one[1]);
        return (!asked.Contains("resource") || asked["resource"].Contains(entry.Resource))
            && (!asked.Contains("types") || asked["types"].SelectMany(types => types.Split(',')).Contains(entry.Type))
            && (!asked.Contains("aggregate") || asked["aggregate"].Contains($"{entry.Resource}/{entry.AggregateId}"));
    }

    // Each request resumes after the last event of the previous one.
    private async Task<List<long>> InPiecesAsync(string filter, int limit)
    {
        var positions = new List<long>();
        while (true)
        {
            var piece = await log.ReadAsync($"/events?{filter}&after={positions.LastOrDefault()}&limit={limit + 1}");
            positions.AddRange(piece.Positions);
            if (piece.Events.Count <= limit) return positions;
        }
    }
}
