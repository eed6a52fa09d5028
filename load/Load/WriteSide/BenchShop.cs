using System.Net.Http.Headers;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Load.Projecting;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// The command API in its own process, with its own database, exchange and queue; disposing removes
/// them. The load comes from this process.
/// </summary>
internal sealed class BenchShop : IAsyncDisposable
{
    private static readonly TimeSpan startLimit = TimeSpan.FromSeconds(60);

    private readonly TestDatabase database;
    private readonly Uri url = new($"http://127.0.0.1:{Loopback.FreePort()}");
    private readonly string name = "apexshop.bench." + Guid.NewGuid().ToString("N")[..12];
    private readonly ServerProcess host;

    private BenchShop(TestDatabase database)
    {
        this.database = database;
        Database = NpgsqlDataSource.Create(database.Commands);
        host = new ServerProcess("commands", "dotnet", [typeof(Host).Assembly.Location, Host.Verb], Settings());
    }

    /// <summary>The connection string of role <c>commands</c>.</summary>
    public NpgsqlDataSource Database { get; }

    public static async Task<BenchShop> StartAsync(CancellationToken ct)
    {
        var database = await TestDatabase.CreateAsync("bench", db => ShopMigration.ApplyAsync(db.ShopOwner, ct));
        var shop = new BenchShop(database);
        try
        {
            await shop.BindQueueAsync(ct);
            shop.host.Start();
            using var client = shop.Client(1);
            await shop.host.ReadyAsync(client, "/health/ready", startLimit);
            return shop;
        }
        catch
        {
            await shop.DisposeAsync();
            throw;
        }
    }

    /// <summary>A client with every scope and at most this many kept-alive connections.</summary>
    public HttpClient Client(int connections)
    {
        var handler =
            new SocketsHttpHandler { MaxConnectionsPerServer = connections, UseProxy = false, UseCookies = false };
        var client = new HttpClient(handler) { BaseAddress = url, Timeout = TimeSpan.FromSeconds(60) };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", TestKeys.Everything);
        return client;
    }

    /// <summary>The processor time used so far by the API and by its connections to PostgreSQL.</summary>
    public async Task<(TimeSpan Api, TimeSpan PostgreSql)> ProcessorTimeAsync(CancellationToken ct)
    {
        await using var command = Database.CreateCommand(
            "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() "
            + "AND pid <> pg_backend_pid()");
        var sessions = (int[])(await command.ExecuteScalarAsync(ct))!;
        return (host.ProcessorTime, TimeSpan.FromSeconds(CpuTime.Of(sessions)));
    }

    /// <summary>Waits until every event so far is in the log, published and confirmed.</summary>
    public Task DrainedAsync() => Eventually.Holds(IsDrainedAsync, "all events are published", TimeSpan.FromMinutes(2));

    public async ValueTask DisposeAsync()
    {
        host.Dispose();
        await Database.DisposeAsync();
        await using (var connection = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync())
        {
            await using var channel = await connection.CreateChannelAsync();
            await channel.QueueDeleteAsync(name);
            await channel.ExchangeDeleteAsync(name);
        }

        await database.DisposeAsync();
    }

    private async Task<bool> IsDrainedAsync()
    {
        await using var command = Database.CreateCommand(
            """
            SELECT NOT EXISTS (SELECT FROM shop.outbox)
                AND (SELECT count(DISTINCT position) FROM shop.log_positions WHERE name IN ('head', 'published')) = 1
            """);
        return (bool)(await command.ExecuteScalarAsync())!;
    }

    // A quorum queue like the Projector's, without a consumer, so it keeps only the newest messages.
    private async Task BindQueueAsync(CancellationToken ct)
    {
        await using var connection = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync(ct);
        await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
        await channel.ExchangeDeclareAsync(
            name, ExchangeType.Topic, durable: true, autoDelete: false, cancellationToken: ct);
        var arguments = new Dictionary<string, object?> { ["x-queue-type"] = "quorum", ["x-max-length"] = 100 };
        await channel.QueueDeclareAsync(
            name, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: ct);
        await channel.QueueBindAsync(name, name, "#", cancellationToken: ct);
    }

    private Dictionary<string, string> Settings()
    {
        var settings = new Dictionary<string, string>
        {
            ["ASPNETCORE_ENVIRONMENT"] = "Production",
            ["ASPNETCORE_URLS"] = url.ToString(),
            ["Logging__LogLevel__Default"] = "Warning",
            // In production no caller sends this much with one key.
            ["Limits__KeyRate__Requests"] = "1000000",
            ["Limits__KeyRate__Burst"] = "10000000",
            // As ./apexshop up starts it.
            ["ConnectionStrings__Shop"] =
                new NpgsqlConnectionStringBuilder(database.Commands) { MaxPoolSize = 50 }.ConnectionString,
            [$"{MessagingOptions.Section}__{nameof(MessagingOptions.Url)}"] = Servers.RabbitMq.ToString(),
            [$"{MessagingOptions.Section}__{nameof(MessagingOptions.Exchange)}"] = name,
        };
        TestKeys.AddTo(settings);
        return settings;
    }
}
