using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Events;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>A log whose events are old, all of them published.</summary>
public sealed class LogCompactionTests : LogShop
{
    private const int Head = 2_500;

    private WebApplicationFactory<Program> process = null!;

    private LogCompaction Compaction => process.Services.GetRequiredService<LogCompaction>();

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await FillAsync(1, Head);
        await AgeAsync();
        process = CommandsApp.Start(
            App.Database.Commands, ("Events:KeepDays", "2"), ("Events:StallSeconds", "3600"));
    }

    public override async Task DisposeAsync()
    {
        await process.DisposeAsync();
        await base.DisposeAsync();
    }

    [Fact]
    public async Task The_compacted_log_stays_the_same_and_only_replaced_events_are_removed()
    {
        var compacted = (await ReadAsync("/events?compacted=true")).Positions;

        (await Compaction.RunAsync(CancellationToken.None)).ShouldBe(Head - compacted.Count);

        (await ReadAsync("/events?compacted=true")).Positions.ShouldBe(compacted);
        (await ReadAsync("/events?incomplete=true")).Positions.ShouldBe(compacted);
        (await Compaction.RunAsync(CancellationToken.None)).ShouldBe(0);
    }

    [Fact]
    public async Task An_event_is_removed_when_its_successor_is_old_enough()
    {
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '1 hour' WHERE position > 1500");
        var before = (await ReadAsync("/events")).Events;
        var last = before.Where(entry => entry.Position <= 1_500)
            .GroupBy(entry => (entry.Resource, entry.AggregateId), entry => entry.Position)
            .Select(positions => positions.Max()).Order();

        await Compaction.RunAsync(CancellationToken.None);

        (await ReadAsync("/events?incomplete=true")).Positions.ShouldBe(
            [.. last, .. Enumerable.Range(1_501, Head - 1_500).Select(position => (long)position)]);
        (await ReadAsync("/events?after=1500")).Positions.Count.ShouldBe(Head - 1_500);
    }

    [Fact]
    public async Task Later_runs_go_on_where_the_one_before_ended()
    {
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '1 hour' WHERE position > 700");
        await Compaction.RunAsync(CancellationToken.None);
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '3 days' WHERE position <= 1900");
        await Compaction.RunAsync(CancellationToken.None);
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '3 days'");
        await Compaction.RunAsync(CancellationToken.None);

        (await ReadAsync("/events?incomplete=true")).Positions.ShouldBe(
            (await ReadAsync("/events?compacted=true")).Positions);
    }

    [Theory]
    [InlineData("/events?after=0", "")]
    [InlineData("/events?after=100&resource=orders", "&resource=orders")]
    [InlineData("/events?after=100&types=apexshop.product.updated", "&types=apexshop.product.updated")]
    [InlineData("/events/live?after=100", "")]
    public async Task A_response_that_would_lack_events_is_refused_with_a_link_to_the_last_states(
        string path, string selection)
    {
        await Compaction.RunAsync(CancellationToken.None);

        using var response = await App.Http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);

        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.Gone, "events.removed");
        answer.Body.GetProperty("removedUpTo").GetInt64().ShouldBeInRange(2_000, Head);
        var link = $"/events?compacted=true{selection}";
        response.Headers.GetValues("Link").ShouldBe([$"<{link}>; rel=\"alternate\""]);
        (await ReadAsync(link)).Positions.ShouldNotBeEmpty();
    }

    [Theory]
    [InlineData("after=2500")]
    [InlineData("after=2499&resource=orders")]
    [InlineData("after=100&resource=users")]
    [InlineData("after=100&types=apexshop.category.deleted")]
    [InlineData("after=0&compacted=true")]
    [InlineData("after=100&incomplete=true")]
    [InlineData("after=0&aggregate=products/7")]
    public async Task A_response_that_lacks_nothing_or_may_is_sent(string query)
    {
        await Compaction.RunAsync(CancellationToken.None);

        (await ReadAsync($"/events?{query}")).Error.ShouldBeNull();
    }

    [Fact]
    public async Task A_browser_that_lacks_removed_events_is_refused_in_the_stream()
    {
        var log = await App.ScalarAsync<string>("SELECT id FROM shop.log_identities");
        await Compaction.RunAsync(CancellationToken.None);

        using var live = await SseClient.OpenAsync(App.Http, "/events/live", $"{log}:100");
        var record = (await live.NextEventAsync())!;
        record.Event.ShouldBe("error");
        var error = JsonElement.Parse(record.Data!).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("events.removed");
        error.GetProperty("removedUpTo").GetInt64().ShouldBeInRange(2_000, Head);
        error.GetProperty("after").GetInt64().ShouldBe(100, "the client continues there");
        using var again = await SseClient.OpenAsync(App.Http, "/events/live?incomplete=true", $"{log}:100");
        (await again.NextEventAsync())!.Id.ShouldBe(
            (await ReadAsync("/events?after=100&incomplete=true")).Positions[0]);
    }

    [Theory]
    [InlineData("UPDATE shop.log_positions SET position = 40 WHERE name = 'published'", 40)]
    [InlineData(
        "INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position) "
        + "VALUES ('https://example.com', '', '{}', true, '', 70)",
        70)]
    public async Task Events_that_are_not_sent_yet_stay(string change, long sent)
    {
        await ExecuteAsync(change);

        await Compaction.RunAsync(CancellationToken.None);

        (await ReadAsync($"/events?after={sent}")).Positions.Count.ShouldBe(Head - (int)sent);
    }

    [Fact]
    public async Task An_event_that_a_webhook_has_still_to_deliver_stays()
    {
        await ExecuteAsync(
            """
            INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position)
            VALUES ('https://example.com', '', '{}', false, '', 2500);
            INSERT INTO shop.webhook_deliveries (webhook_id, position, type, resource, aggregate_id, attempts)
            SELECT 1, position, type, resource, aggregate_id, 1 FROM shop.events WHERE position = 3
            """);

        await Compaction.RunAsync(CancellationToken.None);

        (await ReadAsync("/events?incomplete=true")).Positions[0].ShouldBe(3);
    }

    [Fact]
    public async Task The_role_of_the_process_removes_no_event_that_is_younger_than_a_day()
    {
        await using var database = NpgsqlDataSource.Create(App.Database.Commands);
        foreach (var (sql, state) in new Dictionary<string, string>
        {
            ["SELECT * FROM shop.compact_log(now(), 1000)"] = PostgresErrorCodes.InvalidParameterValue,
            ["DELETE FROM shop.events"] = PostgresErrorCodes.InsufficientPrivilege,
            ["UPDATE shop.log_removals SET position = 0"] = PostgresErrorCodes.InsufficientPrivilege,
            ["UPDATE shop.log_compaction SET position = 0"] = PostgresErrorCodes.InsufficientPrivilege,
        })
        {
            await using var command = database.CreateCommand(sql);
            var refused = await Should.ThrowAsync<PostgresException>(() => command.ExecuteNonQueryAsync());
            refused.SqlState.ShouldBe(state);
        }

        await using var unknown = database.CreateCommand("SELECT count(*) FROM shop.compact_log(NULL, 1000)");
        (await unknown.ExecuteScalarAsync()).ShouldBe(0L);
        (await ReadAsync("/events")).Positions.Count.ShouldBe(Head);
    }

    [Fact]
    public async Task Two_processes_at_the_same_time_remove_each_event_once()
    {
        var compacted = (await ReadAsync("/events?compacted=true")).Positions;

        var removed = await Task.WhenAll(
            Compaction.RunAsync(CancellationToken.None), Compaction.RunAsync(CancellationToken.None));

        removed.Sum().ShouldBeLessThanOrEqualTo(Head - compacted.Count);
        await Compaction.RunAsync(CancellationToken.None);
        (await ReadAsync("/events?incomplete=true")).Positions.ShouldBe(compacted);
    }

    [Fact]
    public async Task A_response_during_which_its_next_events_are_removed_ends_with_an_error_line()
    {
        // More than all buffers between the server and a client that does not read.
        for (var first = Head + 1; first <= 2 * Head; first += 500) await FillAsync(first, first + 499, bytes: 20_000);
        await AgeAsync();
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        using var response = await http.GetAsync("/events?limit=4900", HttpCompletionOption.ResponseHeadersRead);
        await using var sent = await response.Content.ReadAsStreamAsync();
        await Compaction.RunAsync(CancellationToken.None);

        var text = await new StreamReader(sent).ReadToEndAsync();

        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        lines.Length.ShouldBeLessThan(4_900);
        lines[^1].ShouldContain("\"code\":\"events.removed\"");
    }

    private async Task AgeAsync()
    {
        await ExecuteAsync("UPDATE shop.events SET time = now() - interval '3 days'");
        await ExecuteAsync(
            """
            UPDATE shop.log_positions SET position = (SELECT max(position) FROM shop.events) WHERE name = 'published'
            """);
    }
}
