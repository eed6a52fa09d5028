using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>A consumer of GET /events/live: it resumes at another process whenever its connection ends.</summary>
internal sealed class FeedFollower(ShopAddresses shop, long after)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(200);

    // A heartbeat arrives every 15 seconds; a connection without one is dead.
    private static readonly TimeSpan silence = TimeSpan.FromSeconds(20);

    private readonly List<LogEvent> events = [];
    private string lastId = "";

    public Consumed Consumed => Consumed.Of("GET /events/live", events);

    public long Last => events.Count == 0 ? after : events[^1].Position;

    public async Task RunAsync(CancellationToken ct)
    {
        for (var turn = 0; !ct.IsCancellationRequested; turn++)
        {
            try
            {
                await FollowAsync(shop.Commands[turn % shop.Commands.Count], ct);
            }
            catch (Exception lost) when (lost is HttpRequestException or IOException or OperationCanceledException)
            {
                // The next turn resumes, at another process.
            }

            if (!ct.IsCancellationRequested) await Task.Delay(pause, CancellationToken.None);
        }
    }

    private async Task FollowAsync(ShopAddress address, CancellationToken ct)
    {
        using var client = shop.Client(address, Timeout.InfiniteTimeSpan);
        using var quiet = CancellationTokenSource.CreateLinkedTokenSource(ct);
        quiet.CancelAfter(silence);
        using var request = new HttpRequestMessage(
            HttpMethod.Get, string.Create(CultureInfo.InvariantCulture, $"/events/live?after={after}"));
        if (lastId.Length > 0) request.Headers.Add("Last-Event-ID", lastId);
        using var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, quiet.Token);
        if (!response.IsSuccessStatusCode) return;
        using var reader = new StreamReader(await response.Content.ReadAsStreamAsync(quiet.Token));
        var (id, data) = ("", "");
        while (await reader.ReadLineAsync(quiet.Token) is { } line)
        {
            quiet.CancelAfter(silence);
            if (line.StartsWith("id:", StringComparison.Ordinal)) id = line[3..].Trim();
            if (line.StartsWith("data:", StringComparison.Ordinal)) data += line[5..];
            // A record counts when it is complete; one that was cut off is sent again.
            if (line.Length > 0) continue;
            if (data.Length > 0 && id.Length == 0)
            {
                // A problem. Only a log that lost events asks a consumer to begin again.
                if (data.Contains("log.replaced", StringComparison.Ordinal))
                    throw new InvalidOperationException($"The log was replaced after {lastId}: {data}");
                return;
            }

            if (data.Length > 0) events.Add(LogEvent.Parse(data) with { Position = PositionOf(id) });
            if (id.Length > 0) lastId = id;
            (id, data) = ("", "");
        }
    }

    // The identity of the log, a colon and the position.
    private static long PositionOf(string id) =>
        long.Parse(id[(id.IndexOf(':', StringComparison.Ordinal) + 1)..], CultureInfo.InvariantCulture);
}
