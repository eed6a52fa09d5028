using Npgsql;

namespace ApexShop.Faults.Tests;

/// <summary>The servers of one test, which may kill them.</summary>
internal sealed class PrivateServers : IAsyncDisposable
{
    private readonly PrivatePostgres postgres;
    private readonly PrivateBroker broker;
    private readonly PrivateRedis redis;

    private PrivateServers(PrivatePostgres postgres, PrivateBroker broker, PrivateRedis redis) =>
        (this.postgres, this.broker, this.redis) = (postgres, broker, redis);

    public ShopServers Addresses => new(postgres.Superuser, broker.Url, redis.Configuration);

    /// <summary>Each server with its name, and how to kill and restart it.</summary>
    public IReadOnlyList<(string Name, Func<Task> Kill, Func<Task> Start)> All =>
    [
        ("Redis", redis.StopAsync, redis.StartAsync),
        ("RabbitMQ", broker.Node.KillAsync, () => StartAsync(broker.Node, broker.ReadyAsync)),
        ("PostgreSQL", postgres.Node.KillAsync, async () =>
        {
            await StartAsync(postgres.Node, postgres.ReadyAsync);
            // The test's connections are broken, too.
            NpgsqlConnection.ClearAllPools();
        }),
    ];

    public static async Task<PrivateServers> StartAsync()
    {
        var redis = new PrivateRedis();
        var (postgres, broker) = (PrivatePostgres.StartAsync(), PrivateBroker.StartAsync());
        await redis.StartAsync();
        return new(await postgres, await broker, redis);
    }

    public async ValueTask DisposeAsync()
    {
        redis.Dispose();
        await broker.DisposeAsync();
        await postgres.DisposeAsync();
    }

    private static async Task StartAsync(ServerProcess server, Func<Task> ready)
    {
        server.Start();
        await ready();
    }
}
