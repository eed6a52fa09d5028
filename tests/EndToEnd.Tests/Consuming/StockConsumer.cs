using System.Collections.Concurrent;
using ApexShop.Events.Client;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;

namespace ApexShop.EndToEnd.Tests.Consuming;

/// <summary>A consumer with the library's store for PostgreSQL, in a database of its own.</summary>
internal sealed class StockConsumer : IAsyncDisposable
{
    private readonly TestDatabase database;
    private readonly NpgsqlDataSource source;
    private readonly EventConsumerOptions options;
    private CancellationTokenSource stop = new();
    private Task[] running = [];

    private StockConsumer(Shop shop, TestDatabase database, string[] resources)
    {
        this.database = database;
        source = NpgsqlDataSource.Create(database.Superuser);
        Store = new PostgresStore(source, "stock", ApplyAsync, ClearAsync);
        options = new EventConsumerOptions
        {
            Shop = shop.Commands.Url,
            Key = TestKeys.Events,
            Broker = shop.Broker,
            Exchange = shop.Exchange,
            Queue = $"{shop.Exchange}.stock.{Guid.NewGuid():N}",
            Resources = resources,
            Pause = TimeSpan.FromMilliseconds(50),
            Report = line =>
            {
                Reports.Enqueue(line);
                Reported?.Invoke(line);
            },
        };
    }

    public PostgresStore Store { get; }

    public ParkedEvents Parked => new(Store);

    public string Queue => options.Queue;

    /// <summary>The time without a message after which it reads the log again.</summary>
    public TimeSpan LongestSilence { get; set; } = TimeSpan.FromMinutes(10);

    public ConcurrentQueue<string> Reports { get; } = [];

    /// <summary>Is called with each report.</summary>
    public Action<string>? Reported { get; set; }

    /// <summary>How often all data was removed.</summary>
    public int Clearings { get; private set; }

    /// <summary>What the next writes throw.</summary>
    public ConcurrentQueue<Exception> Failures { get; } = [];

    /// <summary>A product or user with a name that begins with this is refused.</summary>
    public string? Refused { get; set; }

    /// <summary>It follows products when no resource is named. The rows of categories have negative ids.</summary>
    public static async Task<StockConsumer> CreateAsync(Shop shop, params string[] resources)
    {
        var database = await TestDatabase.CreateAsync("consumer", _ => Task.CompletedTask);
        var consumer = new StockConsumer(shop, database, resources is [] ? ["products"] : resources);
        await consumer.Store.CreateTablesAsync();
        await consumer.ExecuteAsync("CREATE TABLE stock (id int PRIMARY KEY, name text, writes int NOT NULL)");
        return consumer;
    }

    public void Start(int instances = 1, bool isCompacted = true, bool isIncomplete = false)
    {
        stop = new CancellationTokenSource();
        var changed = options with
        {
            Compacted = isCompacted, Incomplete = isIncomplete, LongestSilence = LongestSilence,
        };
        running =
        [
            .. Enumerable.Range(0, instances).Select(_ => new EventConsumer(changed, Store).RunAsync(stop.Token)),
        ];
    }

    public async Task StopAsync()
    {
        await stop.CancelAsync();
        await Task.WhenAll(running);
        running = [];
    }

    /// <summary>From now on its queue gets no message of a resource.</summary>
    public Task UnbindAsync(string resource) =>
        OnChannelAsync(channel => channel.QueueUnbindAsync(Queue, options.Exchange, resource));

    public Task BindAsync(string resource) =>
        OnChannelAsync(channel => channel.QueueBindAsync(Queue, options.Exchange, resource));

    /// <summary>Publishes a message to its queue only.</summary>
    public Task SendAsync(byte[] body) =>
        OnChannelAsync(channel => channel.BasicPublishAsync("", Queue, body).AsTask());

    /// <summary>Each row as its columns.</summary>
    public Task<List<string>> RowsAsync(string sql) => new Database(database.Superuser).RowsAsync(sql);

    public async Task ExecuteAsync(string sql)
    {
        await using var command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Waits until a product has this row: its name, and how often it was written.</summary>
    public Task HasAsync(int id, string row) => Eventually.Holds(
        async () => (await RowsAsync($"SELECT name, writes FROM stock WHERE id = {id}")) is [var one] && one == row,
        $"the row of product {id} is {row}");

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        await source.DisposeAsync();
        await database.DisposeAsync();
    }

    private async Task OnChannelAsync(Func<IChannel, Task> act)
    {
        await using var connection = await new ConnectionFactory { Uri = options.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await act(channel);
    }

    private async Task ApplyAsync(ShopEvent change, NpgsqlTransaction transaction, CancellationToken ct)
    {
        if (Failures.TryDequeue(out var failure)) throw failure;
        var name = change.IsDeletion ? null : 
            change.Data.GetProperty(change.Resource == "users" ? "firstName" : "name").GetString();
        await using var command = new NpgsqlCommand("""
            INSERT INTO stock AS s VALUES ($1, $2, 1) ON CONFLICT (id) DO UPDATE SET name = $2, writes = s.writes + 1
            """, transaction.Connection, transaction)
        {
            Parameters =
            {
                new() { Value = change.Resource == "categories" ? -change.Id : change.Id },
                new() { Value = (object?)name ?? DBNull.Value },
            },
        };
        await command.ExecuteNonQueryAsync(ct);
        // After the write: what an event changed before it was refused must not stay.
        if (Refused is { } refused && name?.StartsWith(refused, StringComparison.Ordinal) == true)
            throw new NotSupportedException($"{name} is not supported.");
    }

    private async Task ClearAsync(NpgsqlTransaction transaction, CancellationToken ct)
    {
        Clearings++;
        await using var command = new NpgsqlCommand("DELETE FROM stock", transaction.Connection, transaction);
        await command.ExecuteNonQueryAsync(ct);
    }
}
