using Microsoft.Extensions.Options;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The one connection to Redis. It connects in the background, comes back by itself, and is given up for a moment
/// after several calls in a row came to nothing.
/// </summary>
internal sealed class RedisConnection(IOptions<CachingOptions> options, TimeProvider clock) : IAsyncDisposable
{
    private const int FailuresThatBreak = 3;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    private readonly TimeSpan limit = TimeSpan.FromMilliseconds(options.Value.RedisMilliseconds);
    private ConnectionMultiplexer? connection;
    private int failures;
    private long brokenAt;

    private bool IsBroken =>
        Volatile.Read(ref failures) >= FailuresThatBreak && clock.GetElapsedTime(Volatile.Read(ref brokenAt)) < pause;

    public async Task<ConnectionMultiplexer> ConnectAsync()
    {
        var settings = ConfigurationOptions.Parse(options.Value.Redis);
        settings.AbortOnConnectFail = false;
        settings.ClientName = "apexshop-queries";
        return connection = await ConnectionMultiplexer.ConnectAsync(settings);
    }

    /// <summary>False when there is no answer within the time limit; Redis missing is a state, not an error.</summary>
    public Task<(bool IsAnswered, T? Answer)> AskAsync<T>(Func<IDatabase, Task<T>> call, CancellationToken ct) =>
        IsBroken ? Task.FromResult<(bool, T?)>(default) : TryAsync(call, limit, ct);

    /// <summary>The same whatever came of the calls before.</summary>
    public async Task<(bool IsAnswered, T? Answer)> TryAsync<T>(
        Func<IDatabase, Task<T>> call, TimeSpan within, CancellationToken ct)
    {
        if (Volatile.Read(ref connection) is not { } open) return default;
        try
        {
            // This client never gives up a call by itself while Redis hangs.
            var answer = await call(open.GetDatabase()).WaitAsync(within, clock, ct);
            Volatile.Write(ref failures, 0);
            return (true, answer);
        }
        catch (Exception exception) when (exception is RedisException or TimeoutException or ObjectDisposedException)
        {
            Volatile.Write(ref brokenAt, clock.GetTimestamp());
            Interlocked.Increment(ref failures);
            return default;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is { } open) await open.CloseAsync(allowCommandsToComplete: false);
    }
}
