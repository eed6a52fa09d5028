using ApexShop.Caching;
using ApexShop.Queries.Api.Hosting;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Keeps the fence fed: connects, listens, and asks for an echo each second. What it cannot hear any more it says
/// once, and once again when it hears.
/// </summary>
internal sealed class TagWatch(
    RedisConnection redis,
    CacheNames names,
    TagFence fence,
    MemoryLevel<long> documents,
    MemoryLevel<string> answers,
    ILogger<TagWatch> logger) : BackgroundService
{
    private const int MissingThatLose = 2;

    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim woken = new(0);
    private bool isUnavailable;

    public override void Dispose()
    {
        woken.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // Off the host's start, which would wait for a Redis that is unavailable.
        await Task.Yield();
        await ListenAsync(stoppingToken);
        while (!stoppingToken.IsCancellationRequested)
        {
            var name = fence.AskForEcho();
            await redis.TryAsync(database => TagEcho.SendAsync(database, names, name), interval, stoppingToken);
            await woken.WaitAsync(interval, stoppingToken);
            if (fence.Missing >= MissingThatLose) Lose("no echo");
            else if (fence.IsLive) Return();
            documents.DropExpired();
            answers.DropExpired();
        }
    }

    private async Task ListenAsync(CancellationToken ct)
    {
        var connection = await ConnectAsync(ct);
        connection.ConnectionFailed += (_, failure) => Lose($"{failure.ConnectionType}: {failure.FailureType}");
        connection.ConnectionRestored += (_, restored) =>
        {
            Lose($"{restored.ConnectionType}: restored");
            woken.Release();
        };
        // What was said before is not heard; the first echo is what makes the fence live.
        var subscribing = connection.GetSubscriber().SubscribeAsync(names.Channel, (_, said) => fence.Hear(said!));
        await Task.WhenAny(subscribing, Task.Delay(interval, ct));
    }

    // Only a server name that does not resolve makes connecting itself fail; then it is tried anew.
    private async Task<ConnectionMultiplexer> ConnectAsync(CancellationToken ct)
    {
        while (true)
        {
            try
            {
                return await redis.ConnectAsync().WaitAsync(ct);
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                Lose(exception.Message);
                await Task.Delay(interval, ct);
            }
        }
    }

    private void Lose(string reason)
    {
        fence.Lose();
        if (!Interlocked.Exchange(ref isUnavailable, true)) Log.RedisUnavailable(logger, reason);
    }

    private void Return()
    {
        if (Interlocked.Exchange(ref isUnavailable, false)) Log.RedisBack(logger);
    }
}
