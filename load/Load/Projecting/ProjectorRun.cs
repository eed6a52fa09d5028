using System.Diagnostics;
using ApexShop.Messaging;
using ApexShop.TestKit;
using Npgsql;
using RabbitMQ.Client;

namespace ApexShop.Load.Projecting;

/// <summary>The duration of one turn, and the processor time of the two working processes.</summary>
internal sealed record Turn(double Seconds, double Projector, double PostgreSql);

/// <summary>A Projector with its own database and queue. Everything is emptied between two turns.</summary>
internal sealed class ProjectorRun(TestDatabase database) : IAsyncDisposable
{
    // The documents are of the log of the messages, which the Projector cannot ask.
    private const string EmptySql = """
        WITH emptied AS (UPDATE read.checkpoints SET position = 0, event_id = NULL)
        UPDATE read.projection_state SET pending_tags = '{}', log_id = $1, origin = read.origin()
        """;

    private const string TruncateSql = """
        TRUNCATE read.products, read.categories, read.users, read.orders, read.reviews, read.segments,
            read.category_segments, read.product_ratings, read.product_changes, read.product_words,
            read.product_name_words, read.name_word_counts, read.order_totals, read.review_totals, read.changes,
            read.pending_names
        """;

    private readonly string name = "apexshop.bench." + Guid.NewGuid().ToString("N")[..12];
    private ServerProcess process = null!;
    private IConnection broker = null!;
    private IChannel channel = null!;

    private string Queue => name + ".queue";

    public NpgsqlDataSource Database { get; } = NpgsqlDataSource.Create(database.Superuser);

    public async Task StartAsync(CancellationToken ct)
    {
        broker = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync(ct);
        channel = await broker.CreateChannelAsync(new CreateChannelOptions(true, true), ct);
        var port = Loopback.FreePort();
        process = ShopPrograms.Create(ShopPrograms.Projector, "projector", Settings(port));
        process.Start();
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        await process.ReadyAsync(http, "/health/ready", TimeSpan.FromSeconds(60));
    }

    /// <summary>Measures from a full queue until the last event is in the documents.</summary>
    public async Task<Turn> TakeAsync(RecordedLog log, CancellationToken ct)
    {
        await EmptyAsync(log.LogId, ct);
        await using var holding = await Database.OpenConnectionAsync(ct);
        // The Projector locks this row first, so it waits until the row is free.
        await using (var hold = new NpgsqlCommand("BEGIN; SELECT FROM read.projection_state FOR UPDATE", holding))
            await hold.ExecuteNonQueryAsync(ct);
        foreach (var (resource, body) in log.Messages)
            await channel.BasicPublishAsync(name, resource, mandatory: true, body, ct);

        var (projector, postgreSql) = (process.ProcessorTime.TotalSeconds, await PostgreSqlAsync(ct));
        var began = Stopwatch.GetTimestamp();
        await using (var free = new NpgsqlCommand("COMMIT", holding)) await free.ExecuteNonQueryAsync(ct);
        await Eventually.Holds(() => IsDoneAsync(log, ct), "every event is applied", TimeSpan.FromMinutes(5));
        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        return new(seconds, process.ProcessorTime.TotalSeconds - projector, await PostgreSqlAsync(ct) - postgreSql);
    }

    public async ValueTask DisposeAsync()
    {
        process.Dispose();
        foreach (var queue in (string[])[Queue, Topology.DeadLettersOf(Queue), Queue + "_skipped"])
        {
            await channel.QueueDeleteAsync(queue);
            await channel.ExchangeDeleteAsync(queue);
        }

        await channel.ExchangeDeleteAsync(name);
        await channel.DisposeAsync();
        await broker.DisposeAsync();
        await Database.DisposeAsync();
    }

    private async Task EmptyAsync(string logId, CancellationToken ct)
    {
        await using var batch = Database.CreateBatch();
        batch.BatchCommands.Add(new(TruncateSql));
        batch.BatchCommands.Add(
            new(EmptySql) { Parameters = { new NpgsqlParameter<string> { TypedValue = logId } } });
        await batch.ExecuteNonQueryAsync(ct);
    }

    private async Task<bool> IsDoneAsync(RecordedLog log, CancellationToken ct)
    {
        await using var command = Database.CreateCommand(
            "SELECT count(*) = cardinality($1) FROM read.checkpoints c "
            + "JOIN unnest($1, $2) AS l (resource, position) USING (resource) WHERE c.position = l.position");
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. log.Last.Keys] });
        command.Parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. log.Last.Values] });
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }

    private async Task<double> PostgreSqlAsync(CancellationToken ct)
    {
        await using var command = Database.CreateCommand(
            "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'projector'");
        return CpuTime.Of((int[])(await command.ExecuteScalarAsync(ct))!);
    }

    // The event log is not reachable: all events come as messages.
    private Dictionary<string, string> Settings(int port) => new()
    {
        ["ASPNETCORE_ENVIRONMENT"] = "Production",
        ["ASPNETCORE_URLS"] = $"http://127.0.0.1:{port}",
        ["ConnectionStrings__Read"] = database.Projector,
        ["ConnectionStrings__Redis"] = Servers.Redis,
        ["Caching__Prefix"] = name + ":",
        ["Messaging__Url"] = Servers.RabbitMq.ToString(),
        ["Messaging__Exchange"] = name,
        ["Messaging__Queue"] = Queue,
        ["EventLog__Url"] = "http://127.0.0.1:1/",
        ["EventLog__ApiKey"] = TestKeys.Events,
    };
}
