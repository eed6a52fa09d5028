using System.Net;
using System.Text.RegularExpressions;
using ApexShop.Access;
using ApexShop.Commands.Api.Events;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>Readers that do not read, on a log that is larger than any socket buffer.</summary>
public sealed class ReaderLimitTests(ReaderLimitTests.Log log) : IClassFixture<ReaderLimitTests.Log>
{
    private const int Count = 2_000;
    private const int Readers = 3;

    public sealed class Log : LogShop
    {
        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            for (var first = 1; first <= Count; first += 500) await FillAsync(first, first + 499, bytes: 20_000);
        }
    }

    [Fact]
    public async Task A_reader_above_the_limit_is_refused_until_another_one_disconnects()
    {
        await using var app = Start();
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        var unread = new List<HttpResponseMessage>();
        for (var i = 0; i < Readers; i++) unread.Add(await OpenAsync(http, "/events"));
        unread.ShouldAllBe(response => response.IsSuccessStatusCode);

        using (var refused = await OpenAsync(http, $"/events?limit={ReaderLimit.ShortResponse + 1}"))
        {
            (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "streams.busy");
            refused.Headers.RetryAfter!.Delta.ShouldNotBeNull();
        }

        unread[0].Dispose();
        await Eventually.Holds(async () =>
        {
            using var next = await OpenAsync(http, "/events");
            return next.IsSuccessStatusCode;
        }, "the number of readers is below the limit again");
        unread.ForEach(response => response.Dispose());
    }

    [Theory]
    [InlineData("limit=1000", ReaderLimit.ShortResponses)]
    [InlineData("aggregate=products/7", ReaderLimit.ShortResponses)]
    [InlineData("compacted=true&limit=1000", ReaderLimit.CompactedResponses)]
    public async Task Unread_short_responses_of_a_key_are_limited_and_those_of_another_key_are_not(
        string query, int most)
    {
        await using var app = Start();
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var other = CommandsApp.Client(app, Scopes.EventsRead);
        var unread = new List<HttpResponseMessage>();
        for (var i = 0; i < most; i++) unread.Add(await OpenAsync(http, $"/events?{query}"));
        unread.ShouldAllBe(response => response.IsSuccessStatusCode);

        using (var refused = await OpenAsync(http, $"/events?{query}"))
            (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "streams.busy");
        using (var read = await OpenAsync(other, $"/events?{query}&resource=products"))
            read.StatusCode.ShouldBe(HttpStatusCode.OK);
        unread.ForEach(response => response.Dispose());
    }

    /// <summary>The forms of all requests that src/Projector/EventLog sends.</summary>
    [Theory]
    [InlineData("after=0&resource=products&limit=1000")]
    [InlineData("after=0&compacted=true&limit=1000")]
    [InlineData("after=0&compacted=true&limit=100&aggregate=products/1&aggregate=products/2")]
    [InlineData("after=0&aggregate=products/1&limit=2147483647")]
    [InlineData("after=9223372036854775807&limit=1")]
    public async Task The_requests_of_the_Projector_are_never_refused(string query)
    {
        await using var app = Start();
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        var unread = new List<HttpResponseMessage>();
        for (var i = 0; i < Readers; i++) unread.Add(await OpenAsync(http, "/events"));

        using (var response = await http.GetAsync($"/events?{query}&incomplete=true"))
            (await EventsResponse.ReadAsync(response)).Error.ShouldBeNull();
        unread.ForEach(response => response.Dispose());
    }

    [Fact]
    public async Task A_page_of_large_events_ends_after_its_bytes_and_the_next_one_reads_no_more()
    {
        await using var app = Start();
        var reader = app.Services.GetRequiredService<EventLogReader>();
        var range = new EventRange(EventFilter.None, Count, IsCompacted: false);

        var first = await reader.ReadAsync(range, 0, int.MaxValue, CancellationToken.None);
        var second = await reader.ReadAsync(
            range, first.LastPosition, int.MaxValue, first.NextSize, EventLogReader.PageBytes, CancellationToken.None);
        var small = await reader.ReadAsync(range, 0, int.MaxValue, 500, 100_000, CancellationToken.None);

        first.Entries.Count.ShouldBeInRange(40, 60);
        first.NextSize.ShouldBeInRange(40, 60);
        first.IsLast.ShouldBeFalse();
        second.Entries[0].Position.ShouldBe(first.LastPosition + 1);
        second.Entries.Count.ShouldBeInRange(40, 60);
        second.IsLast.ShouldBeFalse();
        small.Entries.Count.ShouldBeInRange(4, 6);
        small.IsLast.ShouldBeFalse();
    }

    [Fact]
    public async Task The_Projector_requests_no_more_than_a_short_response()
    {
        var client = await File.ReadAllTextAsync(
            Path.Combine(Repository.Root, "src/Projector/EventLog/EventLogClient.cs"));
        var chunk = Regex.Match(client, @"const int Chunk = (\d+);").Groups[1].Value;
        int.Parse(chunk, null).ShouldBeLessThanOrEqualTo(ReaderLimit.ShortResponse);
    }

    private static Task<HttpResponseMessage> OpenAsync(HttpClient http, string path) =>
        http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);

    private Microsoft.AspNetCore.Mvc.Testing.WebApplicationFactory<Program> Start() => CommandsApp.Start(
        log.App.Database.Commands, ("Events:StallSeconds", "3600"), ("Events:Readers", $"{Readers}"));
}
