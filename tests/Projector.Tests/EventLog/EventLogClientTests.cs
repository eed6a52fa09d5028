using System.IO.Pipelines;
using System.Text;
using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Tests.EventLog;

/// <summary>The log is that of an old shop: between two events that are sent, it examines millions.</summary>
public sealed class EventLogClientTests
{
    private const string Event =
        """
        {"id":"0f8fad5b-d9cb-469f-a165-70867728950e","type":"apexshop.product.deleted","subject":"products/4",
        "time":"2026-01-01T00:00:00Z","sequence":"7","previous":"0","logid":"a","data":{"id":4,"version":2}}
        """;

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(12);

    [Fact]
    public async Task A_page_of_the_compacted_log_may_take_longer_than_the_limit_while_empty_lines_arrive()
    {
        using var log = new SlowLog();
        using var http = new HttpClient(log) { BaseAddress = new("http://log/"), Timeout = limit };
        var pages = new EventLogClient(http).CompactedAsync(0, CancellationToken.None).GetAsyncEnumerator();
        var page = pages.MoveNextAsync().AsTask();

        for (var i = 0; i < 13; i++)
        {
            await log.SendAsync("\n");
            await Task.Delay(limit / 12);
        }

        await log.SendAsync($"{Event.ReplaceLineEndings("")}\n");
        await log.EndAsync();
        (await page).ShouldBeTrue();
        pages.Current.ShouldHaveSingleItem().Position.ShouldBe(7);
    }

    [Fact]
    public async Task A_log_that_sends_nothing_is_unavailable()
    {
        using var log = new SlowLog();
        using var http = new HttpClient(log) { BaseAddress = new("http://log/"), Timeout = limit / 10 };
        var pages = new EventLogClient(http).CompactedAsync(0, CancellationToken.None).GetAsyncEnumerator();

        await Should.ThrowAsync<EventLogException>(() => pages.MoveNextAsync().AsTask());
    }

    /// <summary>The headers of its response are sent immediately.</summary>
    private sealed class SlowLog : HttpMessageHandler
    {
        private readonly Pipe body = new();

        public async Task SendAsync(string lines) => await body.Writer.WriteAsync(Encoding.UTF8.GetBytes(lines));

        public async Task EndAsync() => await body.Writer.CompleteAsync();

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(new HttpResponseMessage { Content = new StreamContent(body.Reader.AsStream()) });
    }
}
