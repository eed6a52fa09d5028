using System.Net;
using System.Text;
using ApexShop.Access;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Admin;

public sealed class ReadEventsTests(ReadEventsTests.Log log) : IClassFixture<ReadEventsTests.Log>
{
    /// <summary>The API over a log of 1,300 events, every fourth of an order.</summary>
    public sealed class Log : IAsyncLifetime
    {
        public CommandsApp App { get; } = new();

        public async Task InitializeAsync()
        {
            await App.InitializeAsync();
            await using var fill = App.Superuser.CreateCommand(
                """
                INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
                SELECT 'apexshop.test.changed', CASE n % 4 WHEN 0 THEN 'orders' ELSE 'products' END, n, 1, json_build_object('id', n, 'version', 1)
                FROM generate_series(1, 1300) AS n
                """);
            await fill.ExecuteNonQueryAsync();
            await using var connection = new NpgsqlConnection(App.Database.Commands);
            await connection.OpenAsync();
            using var head = new LogHead();
            (await new Sequencer(head, Options.Create(new OutboxOptions())).MoveAsync(connection, CancellationToken.None)).ShouldBe(1_300);
        }

        public Task DisposeAsync() => App.DisposeAsync();
    }

    [Fact]
    public async Task Answers_a_thousand_events_in_order_unless_told_otherwise()
    {
        var (type, events) = await ReadAsync("/events");

        type.ShouldBe("application/x-ndjson");
        events.Select(entry => entry.Position).ShouldBe(Enumerable.Range(1, 1_000).Select(n => (long)n));
    }

    [Fact]
    public async Task Goes_on_after_a_position_to_the_end_of_the_log()
    {
        var (_, events) = await ReadAsync("/events?after=1000&limit=10000");
        var (_, none) = await ReadAsync("/events?after=1300");

        events.Select(entry => entry.Position).ShouldBe(Enumerable.Range(1_001, 300).Select(n => (long)n));
        none.ShouldBeEmpty();
    }

    [Fact]
    public async Task Answers_one_resource_with_its_chain_of_predecessors()
    {
        var (_, events) = await ReadAsync("/events?resource=orders&after=8&limit=3");

        events.Select(entry => (entry.Position, entry.Previous)).ShouldBe([(12L, 8L), (16L, 12L), (20L, 16L)]);
    }

    [Fact]
    public async Task A_line_is_the_cloud_event_of_the_log_entry()
    {
        var (_, events) = await ReadAsync("/events?limit=1");

        var entry = events.Single();
        entry.Id.ShouldBe(await log.App.ScalarAsync<Guid>("SELECT event_id FROM shop.events WHERE position = 1"));
        (entry.Type, entry.Resource, entry.AggregateId, entry.Previous).ShouldBe(("apexshop.test.changed", "products", 1, 0));
        Encoding.UTF8.GetString(entry.Data.Span).ShouldBe("""{"id" : 1, "version" : 1}""");
    }

    [Theory]
    [InlineData("after=-1", "after")]
    [InlineData("after=one", "after")]
    [InlineData("limit=0", "limit")]
    [InlineData("limit=10001", "limit")]
    [InlineData("limit=", "limit")]
    [InlineData("resource=carts", "resource")]
    [InlineData("from=3", "from")]
    public async Task A_bad_parameter_is_named(string query, string name)
    {
        var answer = await log.App.SendAsync(HttpMethod.Get, $"/events?{query}", null);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name]);
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData(Scopes.Admin, HttpStatusCode.Forbidden)]
    [InlineData(Scopes.EventsRead, HttpStatusCode.OK)]
    public async Task Needs_the_scope_events_read(string? scope, HttpStatusCode status)
    {
        using var client = log.App.ClientWith(scope);
        using var response = await client.GetAsync("/events?limit=1");

        response.StatusCode.ShouldBe(status);
    }

    private async Task<(string? Type, List<LogEntry> Events)> ReadAsync(string path)
    {
        var answer = await log.App.SendAsync(HttpMethod.Get, path, null);
        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        var lines = answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return (answer.MediaType, [.. lines.Select(line => CloudEvents.Read(Encoding.UTF8.GetBytes(line)))]);
    }
}
