using ApexShop.Caching;
using ApexShop.Hosting;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Subscribes the fence to the announcements of raised tags. Twice a second it reads which changes are not announced
/// yet and sends a probe. It logs once when the subscription is lost or changes are not announced, and once when that
/// has ended.
/// </summary>
internal sealed class TagSubscriber(
    RedisConnection redis,
    CacheNames names,
    TagFence fence,
    UnraisedChanges changes,
    PurgeFeed purges,
    MemoryCache<long> documents,
    MemoryCache<string> responses,
    TimeProvider clock,
    ILogger<TagSubscriber> logger) : BackgroundService
{
    private const int MostMissingProbes = 2;

    // So short that a slow probe does not end the bound of the caches.
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(500);

    private readonly WakeSignal reconnected = new();
    private bool isUnavailable;
    private bool isBehind;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // Off the host's start, which would wait for a Redis that is unavailable.
        await Task.Yield();
        await SubscribeAsync(stoppingToken);
        while (!stoppingToken.IsCancellationRequested)
        {
            // In this order: what was raised when the database was read is announced before the probe.
            var raised = await changes.RaisedUntilAsync(stoppingToken);
            await SubscriptionProbe.SendAsync(redis, names, fence.NextProbe(raised), interval, stoppingToken);
            await reconnected.WaitAsync(interval, clock, stoppingToken);
            if (fence.MissingProbes > MostMissingProbes) OnLost("probes are not received");
            else if (fence.IsLive) Resume();
            ReportUnraised();
            documents.RemoveExpired();
            responses.RemoveExpired();
        }
    }

    private async Task SubscribeAsync(CancellationToken ct)
    {
        var connection = await ConnectAsync(ct);
        connection.ConnectionFailed += (_, failure) => OnLost($"{failure.ConnectionType}: {failure.FailureType}");
        // Each connection reports that it is restored, one perhaps after the first probe: that is not another loss.
        connection.ConnectionRestored += (_, _) =>
        {
            SuspendCaches();
            reconnected.Set();
        };
        // Earlier announcements were not received; only the first probe makes the fence live.
        var subscribing = connection.GetSubscriber()
            .SubscribeAsync(names.Channel, (_, message) =>
            {
                fence.Receive(message!);
                purges.Receive(message!);
            });
        await Task.WhenAny(subscribing, Task.Delay(interval, clock, ct));
    }

    // Connecting itself fails only when a server name does not resolve.
    private async Task<IConnectionMultiplexer> ConnectAsync(CancellationToken ct)
    {
        while (true)
        {
            try
            {
                return await redis.ConnectAsync().WaitAsync(ct);
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                OnLost(exception.Message);
                await Task.Delay(interval, clock, ct);
            }
        }
    }

    private void SuspendCaches()
    {
        fence.Suspend();
        purges.Receive("");
    }

    private void OnLost(string reason)
    {
        SuspendCaches();
        if (!Interlocked.Exchange(ref isUnavailable, true)) logger.RedisUnavailable(reason);
    }

    private void Resume()
    {
        if (Interlocked.Exchange(ref isUnavailable, false)) logger.RedisBack();
    }

    private void ReportUnraised()
    {
        var behind = fence is { IsLive: true, Watermark.IsLate: true };
        if (behind && !isBehind) logger.TagsNotRaised(Math.Round(fence.Watermark.Age.TotalSeconds, 1));
        else if (isBehind && fence.IsUpToDate) logger.TagsRaised();
        else return;
        isBehind = behind;
    }
}
