using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Commands.Api.Events;
using ApexShop.Events;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>The feed of a log whose identity has changed, as after a restore.</summary>
public sealed class ReplacedLogTests : LogShop
{
    private const int Head = 40;

    private string before = null!;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await FillAsync(1, Head);
        before = await LogIdAsync();
    }

    [Fact]
    public async Task The_identity_is_in_a_header_and_in_every_event()
    {
        before.ShouldMatch("^[0-9a-f]{12}$");
        (await ReadAsync("/events")).Events.ShouldAllBe(entry => entry.LogId == before);
        using var live = await SseClient.OpenAsync(App.Http, "/events/live?after=0");
        live.Headers.GetValues("Log-Id").ShouldBe([before]);
        CloudEvents.Read(Encoding.UTF8.GetBytes((await live.NextEventAsync())!.Data!)).LogId.ShouldBe(before);

        var after = await RestoreAsync(common: Head);
        after.ShouldNotBe(before);
        (await LogIdAsync()).ShouldBe(after);
        (await ReadAsync("/events")).Events.ShouldAllBe(entry => entry.LogId == after);
    }

    [Theory]
    [InlineData("/events")]
    [InlineData("/events/live")]
    public async Task A_position_that_the_log_does_not_continue_is_gone(string path)
    {
        var after = await RestoreAsync(common: 30);
        await FillAsync(Head + 1, Head + 10);

        using var response = await App.Http.GetAsync($"{path}?after=31&log={before}");
        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.Gone, "log.replaced");
        answer.Body.GetProperty("logId").GetString().ShouldBe(after);
        answer.Body.GetProperty("commonUpTo").GetInt64().ShouldBe(30);
        answer.Body.GetProperty("detail").GetString()!.ShouldContain("compacted=true");
        response.Headers.GetValues("Link").Single().ShouldContain("compacted=true");

        foreach (var next in (string[])[$"after=30&log={before}", $"after=40&log={after}", $"after=0&log={before}"])
        {
            using var continued = await App.Http.GetAsync(
                $"{path}?{next}", HttpCompletionOption.ResponseHeadersRead);
            continued.StatusCode.ShouldBe(HttpStatusCode.OK, next);
        }
    }

    [Fact]
    public async Task Of_several_changes_the_one_with_the_earliest_common_event_counts()
    {
        await RestoreAsync(common: 20);
        await RestoreAsync(common: 30);

        (await StatusAsync($"after=25&log={before}")).ShouldBe(HttpStatusCode.Gone);
        (await StatusAsync($"after=20&log={before}")).ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_position_of_a_log_that_never_existed_here_is_gone()
    {
        (await StatusAsync("after=1&log=000000000000")).ShouldBe(HttpStatusCode.Gone);
        (await StatusAsync("after=0&log=000000000000")).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync("after=1")).ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_live_response_ends_before_the_first_event_of_the_restored_log()
    {
        using var live = await SseClient.OpenAsync(App.Http, $"/events/live?after={Head - 5}&log={before}");
        (await live.TakeAsync(5)).Count.ShouldBe(5);
        await RestoreAsync(common: Head - 10);
        await FillAsync(Head + 1, Head + 10);

        while (await live.NextAsync() is { } record) record.Data.ShouldBeNull("it is an event of the restored log");
    }

    /// <summary>No event of the restored log shows that it was replaced.</summary>
    [Fact]
    public async Task A_live_response_that_selects_no_event_of_the_restored_log_ends_too()
    {
        using var live = await SseClient.OpenAsync(App.Http, $"/events/live?resource=reviews&after={Head}");
        (await live.NextAsync())!.Id.ShouldBe(Head);
        await RestoreAsync(common: Head - 10);
        await FillAsync(Head + 1, Head + 10);

        (await live.NextAsync()).ShouldBeNull();
    }

    /// <summary>Many clients send the last id of their own accord, and read no status.</summary>
    [Fact]
    public async Task A_client_that_reconnects_after_a_restore_is_refused_in_the_stream()
    {
        string last;
        using (var live = await SseClient.OpenAsync(App.Http, "/events/live?after=35"))
        {
            (await live.NextAsync())!.Id.ShouldBe(35);
            live.LastId.ShouldBe($"{before}:35");
            (await live.TakeAsync(5)).Count.ShouldBe(5);
            last = live.LastId!;
            last.ShouldBe($"{before}:{Head}");
        }

        var after = await RestoreAsync(common: 30);
        await FillAsync(Head + 1, Head + 10);
        using var refused = await SseClient.OpenAsync(App.Http, "/events/live?after=35", last);
        var record = (await refused.NextEventAsync())!;
        var error = JsonDocument.Parse(record.Data!).RootElement.GetProperty("error");
        (record.Id, record.Event, refused.LastId).ShouldBe((null, "error", last));
        error.GetProperty("code").GetString().ShouldBe("log.replaced");
        error.GetProperty("logId").GetString().ShouldBe(after);
        error.GetProperty("commonUpTo").GetInt64().ShouldBe(30);
        error.GetProperty("head").GetInt64().ShouldBe(Head + 10);
        error.GetProperty("after").GetInt64().ShouldBe(0);
        (await refused.NextAsync()).ShouldBeNull();

        using var continued = await SseClient.OpenAsync(App.Http, "/events/live", $"{before}:30");
        (await continued.TakeAsync(20)).Count.ShouldBe(20);
        continued.LastId.ShouldBe($"{after}:{Head + 10}");
    }

    /// <summary>As when one connection is to a promoted server and the next to the primary before it.</summary>
    [Fact]
    public async Task A_server_that_lacks_the_end_of_a_range_does_not_send_its_last_page()
    {
        var log = App.Services.GetRequiredService<EventLogReader>();
        var here = new EventRange(EventFilter.None, Head, IsCompacted: false);
        var beyond = here with { UpTo = Head + 1 };

        (await log.ReadAsync(here, Head - 5, 500, CancellationToken.None)).Entries.Count.ShouldBe(5);
        await Should.ThrowAsync<NpgsqlException>(() => log.ReadAsync(beyond, Head - 5, 500, CancellationToken.None));
    }

    [Fact]
    public async Task The_current_log_has_all_events_of_itself()
    {
        var log = App.Services.GetRequiredService<EventLogReader>();
        (await log.CommonWithAsync(before, CancellationToken.None)).ShouldBe(long.MaxValue);
        await RestoreAsync(common: 30);
        (await log.CommonWithAsync(before, CancellationToken.None)).ShouldBe(30);
        (await log.CommonWithAsync("000000000000", CancellationToken.None)).ShouldBeNull();
    }

    private async Task<HttpStatusCode> StatusAsync(string query)
    {
        using var response = await App.Http.GetAsync($"/events?{query}");
        return response.StatusCode;
    }

    private async Task<string> LogIdAsync()
    {
        using var response = await App.Http.GetAsync("/events?limit=1");
        return response.Headers.GetValues("Log-Id").Single();
    }
}
