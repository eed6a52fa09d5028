using System.Net;
using System.Text;
using ApexShop.Access;
using ApexShop.Events;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>Followers of a log that the test fills, in a process that is not the leader.</summary>
public sealed class FollowEventsTests : LogShop, IAsyncLifetime
{
    private const int Before = 300;

    // Longer than any test, so that only a notification can deliver an event in time.
    private static readonly (string, string) neverPolls = ("Events:PollInterval", "00:01:00");

    private readonly List<IAsyncDisposable> running = [];

    async Task IAsyncLifetime.InitializeAsync()
    {
        await InitializeAsync();
        await FillAsync(1, Before);
    }

    async Task IAsyncLifetime.DisposeAsync()
    {
        foreach (var one in running) await one.DisposeAsync();
        await DisposeAsync();
    }

    [Fact]
    public async Task Starts_with_the_next_event_and_sends_the_current_position()
    {
        using var http = Start(neverPolls).Http;
        using var line = await SseClient.OpenAsync(http, "/events/live");

        (await line.NextAsync()).ShouldBe(new SseRecord(Before, null, null, null, 2000));
        line.Headers.GetValues("Log-Head").ShouldBe([$"{Before}"]);
        await FillAsync(Before + 1, Before + 10);
        (await line.TakeAsync(10)).ShouldBe(Positions(Before + 1, Before + 10));
        // The tail listens now, so the next event arrives by notification.
        await FillAsync(Before + 11, Before + 20);
        (await line.TakeAsync(10)).ShouldBe(Positions(Before + 11, Before + 20));
    }

    [Fact]
    public async Task A_position_beyond_the_log_is_refused_in_the_stream_which_then_ends()
    {
        using var http = Start(neverPolls).Http;
        using var line = await SseClient.OpenAsync(http, "/events/live", $"{Before + 1}");

        var record = (await line.NextEventAsync())!;

        (record.Id, record.Event).ShouldBe((null, "error"));
        line.LastId.ShouldBe($"{Before + 1}");
        using var again = await SseClient.OpenAsync(http, "/events/live", line.LastId);
        (await again.NextEventAsync())!.Data!.ShouldContain("events.beyond_head", Case.Sensitive, "refused again");
        var error = System.Text.Json.JsonDocument.Parse(record.Data!).RootElement.GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("events.beyond_head");
        error.GetProperty("after").GetInt64().ShouldBe(Before);
        (await line.NextAsync()).ShouldBeNull();
    }

    [Fact]
    public async Task A_record_has_the_position_the_type_and_the_event()
    {
        using var http = Start(neverPolls).Http;
        using var line = await SseClient.OpenAsync(http, "/events/live?after=0");

        var record = (await line.NextEventAsync())!;
        var entry = CloudEvents.Read(Encoding.UTF8.GetBytes(record.Data!));
        (record.Id, record.Event).ShouldBe((1, "apexshop.product.created"));
        (entry.Position, entry.Type, entry.Resource, entry.AggregateId)
            .ShouldBe((1, "apexshop.product.created", "products", 7));
    }

    // Such an erasure has no event that followers receive.
    [Fact]
    public async Task A_deleted_user_who_is_erased_is_in_no_event_that_is_sent_afterwards()
    {
        using var http = Start(neverPolls).Http;
        using var line = await SseClient.OpenAsync(http, "/events/live");
        await line.NextAsync();
        var user = await App.UserAsync();
        using var deleted = await App.Http.DeleteAsync($"/users/{user}");
        await SequenceAsync(App);
        (await line.TakeAsync(2)).ShouldBe(Positions(Before + 1, Before + 2));
        (await FirstAsync(http)).ShouldContain("Lovelace");

        using var erased = await App.Http.PostAsync($"/users/{user}/erase", null);

        erased.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        await Eventually.Holds(
            async () => !(await FirstAsync(http)).Contains("Lovelace", StringComparison.Ordinal),
            "the event is read from the log again");
    }

    private static async Task<string> FirstAsync(HttpClient http)
    {
        using var late = await SseClient.OpenAsync(http, $"/events/live?after={Before}");
        return (await late.NextEventAsync())!.Data!;
    }

    [Theory]
    [InlineData("/events/live?after=290", null, 290)]
    [InlineData("/events/live", "295", 295)]
    [InlineData("/events/live?after=3", "0000000000000000297", 297)]
    public async Task Resumes_after_the_requested_position_first_from_the_log_and_then_live(
        string path, string? lastEventId, int after)
    {
        using var http = Start(neverPolls).Http;
        using var line = await SseClient.OpenAsync(http, path, lastEventId);
        await FillAsync(Before + 1, Before + 50);

        (await line.TakeAsync(Before + 50 - after)).ShouldBe(Positions(after + 1, Before + 50));
    }

    [Theory]
    [InlineData("resource=orders")]
    [InlineData("types=apexshop.product.updated,apexshop.order.placed")]
    [InlineData("aggregate=orders/4&aggregate=products/7")]
    public async Task Sends_only_the_events_that_the_filter_includes(string filter)
    {
        await FillAsync(Before + 1, Before + 40);
        var expected = (await ReadAsync($"/events?{filter}")).Positions;
        using var http = Start(neverPolls).Http;
        using var old = await SseClient.OpenAsync(http, $"/events/live?after=0&{filter}");
        (await old.TakeAsync(expected.Count)).ShouldBe(expected);

        await FillAsync(Before + 41, Before + 400);
        var more = (await ReadAsync($"/events?after={Before + 40}&{filter}")).Positions;
        more.ShouldNotBeEmpty();
        (await old.TakeAsync(more.Count)).ShouldBe(more);
    }

    [Fact]
    public async Task Without_events_a_heartbeat_with_the_current_position_is_sent()
    {
        using var http = Start(("Events:Heartbeat", "00:00:00.050")).Http;
        using var line = await SseClient.OpenAsync(http, "/events/live?resource=users");
        (await line.NextAsync())!.Id.ShouldBe(Before);
        (await line.NextAsync()).ShouldBe(new SseRecord(Before, null, null, "heartbeat", null));

        // None of them is about a user: a client that reconnects does not have to read them again.
        await FillAsync(Before + 1, Before + 500);
        while ((await line.NextAsync())! is { Id: < Before + 500 } beat) beat.Comment.ShouldBe("heartbeat");
    }

    [Theory]
    [InlineData("?after=x", null, "after")]
    [InlineData("?types=apexshop.order", null, "types")]
    [InlineData("?aggregate=4", null, "aggregate")]
    [InlineData("", "-1", "Last-Event-ID")]
    [InlineData("?after=3", "abc", "Last-Event-ID")]
    [InlineData("", "0a1b2c3d4e5f:-1", "Last-Event-ID")]
    [InlineData("", "1:2:3", "Last-Event-ID")]
    public async Task An_invalid_parameter_is_named(string query, string? lastEventId, string name)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/events/live" + query);
        if (lastEventId is not null) request.Headers.Add("Last-Event-ID", lastEventId);
        using var response = await App.Http.SendAsync(request);

        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name)
            .ShouldBe([name], Case.Insensitive);
    }

    [Fact]
    public async Task A_follower_above_the_limit_of_its_key_is_refused_until_another_one_disconnects()
    {
        var (factory, http) = Start(("Events:Followers", "4"), ("Events:Heartbeat", "00:00:00.050"));
        using var first = await SseClient.OpenAsync(http, "/events/live");
        using (await SseClient.OpenAsync(http, "/events/live"))
        {
            using var refused = await http.GetAsync("/events/live");
            (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "streams.busy");
            refused.Headers.RetryAfter!.Delta.ShouldNotBeNull();
            using var other = CommandsApp.Client(factory, Scopes.EventsRead);
            using (await SseClient.OpenAsync(other, "/events/live?resource=products"))
            {
            }
        }

        await Eventually.Holds(async () =>
        {
            using var next = await http.GetAsync("/events/live?after=0", HttpCompletionOption.ResponseHeadersRead);
            return next.IsSuccessStatusCode;
        }, "the number of followers is below the limit again");
        (await first.NextAsync()).ShouldNotBeNull();
    }

    [Fact]
    public async Task A_follower_that_does_not_read_delays_no_other_and_misses_no_event()
    {
        const int last = Before + 3_000;
        using var http = Start(neverPolls, ("Events:TailEvents", "20"), ("Events:StallSeconds", "3600")).Http;
        using var slow = await SseClient.OpenAsync(http, "/events/live");
        using var quick = await SseClient.OpenAsync(http, "/events/live");

        // More than any socket buffer can hold, so that the slow follower falls behind the buffer of the tail.
        for (var first = Before + 1; first <= last; first += 100) await FillAsync(first, first + 99, bytes: 20_000);
        (await quick.TakeAsync(last - Before)).ShouldBe(Positions(Before + 1, last));

        (await slow.TakeAsync(last - Before)).ShouldBe(Positions(Before + 1, last));
    }

    [Fact]
    public async Task A_tail_that_loses_its_connection_loses_no_event()
    {
        var (_, http) = Start(("Events:PollInterval", "00:00:01"));
        using var line = await SseClient.OpenAsync(http, "/events/live");
        await FillAsync(Before + 1, Before + 5);
        (await line.TakeAsync(5)).Count.ShouldBe(5);

        var killed = 0L;
        for (var first = Before + 6; first < Before + 100; first += 10)
        {
            killed += await App.ScalarAsync<long>(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND "
                + "query LIKE '%name = ''head''%' AND application_name = 'apexshop events'");
            await FillAsync(first, first + 9);
        }

        (await line.TakeAsync(100)).ShouldBe(Positions(Before + 6, Before + 105));
        killed.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task When_the_process_stops_the_response_ends_and_the_follower_resumes_at_another_process()
    {
        var (factory, http) = Start(neverPolls);
        var line = await SseClient.OpenAsync(http, "/events/live?after=10");
        var seen = await line.TakeAsync(Before - 10);

        await factory.Services.GetRequiredService<IHost>().StopAsync();
        (await line.NextAsync()).ShouldBeNull("the answer ended in order");
        await FillAsync(Before + 1, Before + 20);

        using var other = Start(neverPolls).Http;
        using var again = await SseClient.OpenAsync(other, "/events/live?after=10", $"{seen[^1]}");
        (await again.TakeAsync(20)).ShouldBe(Positions(Before + 1, Before + 20));
    }

    private static IEnumerable<long> Positions(int first, int last) =>
        Enumerable.Range(first, last - first + 1).Select(n => (long)n);

    private (WebApplicationFactory<Program> Factory, HttpClient Http) Start(params (string, string)[] settings)
    {
        var factory = CommandsApp.Start(App.Database.Commands, settings);
        running.Add(factory);
        return (factory, CommandsApp.Client(factory, CommandsApp.Key));
    }
}
