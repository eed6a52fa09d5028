using StackExchange.Redis;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>The only connection to Redis; it connects in the background and reconnects by itself.</summary>
internal sealed class RedisConnection(
    string configuration, Func<ConfigurationOptions, Task<IConnectionMultiplexer>> connect) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private Task<IConnectionMultiplexer>? connecting;
    private volatile IConnectionMultiplexer? opened;

    public RedisConnection(string configuration)
        : this(configuration, ToServerAsync)
    {
    }

    /// <summary>False also before the first attempt to connect.</summary>
    public bool IsConnected => opened is { IsConnected: true };

    public Task<IConnectionMultiplexer> ConnectAsync()
    {
        lock (gate)
        {
            // Connecting itself fails only when the server name does not resolve; then it is tried again.
            if (connecting is null or { IsFaulted: true }) connecting = OpenAsync();
            return connecting;
        }
    }

    public async Task PingAsync(CancellationToken ct)
    {
        var connection = await ConnectAsync().WaitAsync(ct);
        await connection.GetDatabase().PingAsync().WaitAsync(ct);
    }

    public async ValueTask DisposeAsync()
    {
        if (connecting is not { IsCompletedSuccessfully: true }) return;
        await (await connecting).CloseAsync(allowCommandsToComplete: false);
    }

    private async Task<IConnectionMultiplexer> OpenAsync()
    {
        // The lock is not held while the client connects.
        await Task.Yield();
        var options = ConfigurationOptions.Parse(configuration);
        options.AbortOnConnectFail = false;
        options.ClientName = "apexshop-projector";
        return opened = await connect(options);
    }

    private static async Task<IConnectionMultiplexer> ToServerAsync(ConfigurationOptions options) =>
        await ConnectionMultiplexer.ConnectAsync(options);
}
