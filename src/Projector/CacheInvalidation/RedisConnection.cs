using StackExchange.Redis;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>The one connection to Redis; it connects in the background and comes back by itself.</summary>
internal sealed class RedisConnection(string configuration) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private Task<ConnectionMultiplexer>? connecting;

    public Task<ConnectionMultiplexer> ConnectAsync()
    {
        lock (gate)
        {
            // Only a server name that does not resolve makes connecting itself fail; then it is tried anew.
            if (connecting is null or { IsFaulted: true }) connecting = Task.Run(OpenAsync);
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

    private Task<ConnectionMultiplexer> OpenAsync()
    {
        var options = ConfigurationOptions.Parse(configuration);
        options.AbortOnConnectFail = false;
        options.ClientName = "apexshop-projector";
        return ConnectionMultiplexer.ConnectAsync(options);
    }
}
