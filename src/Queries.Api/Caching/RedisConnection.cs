using Microsoft.Extensions.Options;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The one connection to Redis. It connects in the background and reconnects by itself. After several failed calls in a
/// row it is not used for a second (a circuit breaker).
/// </summary>
internal sealed class RedisConnection(
    IOptions<CachingOptions> options,
    TimeProvider clock,
    Func<ConfigurationOptions, Task<IConnectionMultiplexer>>? connect = null) : IAsyncDisposable
{
    private const int FailuresThatBreak = 3;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    private readonly TimeSpan limit = TimeSpan.FromMilliseconds(options.Value.RedisMilliseconds);
    private IConnectionMultiplexer? connection;
    private int failures;
    private long brokenAt;

    private bool IsBroken =>
        Volatile.Read(ref failures) >= FailuresThatBreak && clock.GetElapsedTime(Volatile.Read(ref brokenAt)) < pause;

    public async Task<IConnectionMultiplexer> ConnectAsync()
    {
        var settings = ConfigurationOptions.Parse(options.Value.Redis);
        settings.AbortOnConnectFail = false;
        settings.ClientName = "apexshop-queries";
        return connection = await (connect?.Invoke(settings) ?? ToServerAsync(settings));
    }

    /// <summary>Null when Redis does not answer within the time limit: that is a state, not an error.</summary>
    public Task<RedisResult?> EvaluateAsync(
        string script, RedisKey[] keys, RedisValue[] values, CancellationToken ct) =>
        IsBroken ? Task.FromResult<RedisResult?>(null) : TryEvaluateAsync(script, keys, values, limit, ct);

    /// <summary>The same, regardless of earlier failures.</summary>
    public async Task<RedisResult?> TryEvaluateAsync(
        string script, RedisKey[] keys, RedisValue[] values, TimeSpan within, CancellationToken ct)
    {
        if (Volatile.Read(ref connection) is not { } open) return null;
        try
        {
            // The client itself never gives up a call while Redis hangs.
            var result = await open.GetDatabase()
                .ScriptEvaluateAsync(script, keys, values, CommandFlags.NoScriptCache)
                .WaitAsync(within, clock, ct);
            Volatile.Write(ref failures, 0);
            return result;
        }
        catch (Exception exception) when (exception is RedisException or TimeoutException or ObjectDisposedException)
        {
            Volatile.Write(ref brokenAt, clock.GetTimestamp());
            Interlocked.Increment(ref failures);
            return null;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is { } open) await open.CloseAsync(allowCommandsToComplete: false);
    }

    private static async Task<IConnectionMultiplexer> ToServerAsync(ConfigurationOptions settings) =>
        await ConnectionMultiplexer.ConnectAsync(settings);
}
