using System.Diagnostics;
using Npgsql;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// From the outbox to the broker's confirm: how many events a second out of a full outbox, and how long one takes after
/// its commit, alone and beside eight callers who create products.
/// </summary>
internal static class OutboxSpeed
{
    private const int Backlog = 50_000;
    private const int Rounds = 5;
    private const int Probes = 300;
    private const int Writers = 8;

    // A probe is an event of a product that does not exist: nothing but its position is looked at.
    private const string ProbeSql =
        """
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
        VALUES ('apexshop.product.deleted', 'products', $1, 1, '{"id":0,"version":1}')
        """;

    private const string ConfirmedSql =
        """
        SELECT EXISTS (SELECT FROM shop.events WHERE resource = 'products' AND aggregate_id = $1
            AND position <= (SELECT position FROM shop.log_positions WHERE name = 'published'))
        """;

    private const string FillSql =
        """
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
        SELECT 'apexshop.product.updated', 'products', p.id, n, shop.product_state(p)
        FROM generate_series(1, $1) AS n CROSS JOIN (SELECT * FROM shop.products LIMIT 1) AS p
        """;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(Writers);
        var body = Bodies.Json(Bodies.Product(await Bodies.CreateCategoryAsync(client, "Lights", ct)));
        await CreateAsync(client, body, ct);

        await EmptyAsync(shop, ct);
        var rates = new List<double>();
        for (var round = 1; round <= Rounds; round++)
        {
            rates.Add(await EmptyAsync(shop, ct));
            await progress.WriteLineAsync(FormattableString.Invariant($"  backlog {round} of {Rounds}: {rates[^1]:0} events a second"));
        }

        await ProbeAsync(shop, -Probes, ct);
        var idle = await ProbeAsync(shop, 0, ct);
        await progress.WriteLineAsync($"  idle: {Probes} events one at a time");
        var (busy, rate) = await BesideWritersAsync(shop, client, body, ct);
        await progress.WriteLineAsync(FormattableString.Invariant($"  busy: {Probes} events beside {rate:0} products a second"));
        return
        [
            Figure.Of($"a full outbox ({Backlog:N0} events) to the broker, confirmed", "events/s", "0", rates),
            Figure.OfLatency("commit to confirmed, idle", idle),
            Figure.OfLatency($"commit to confirmed beside {Writers} callers of POST /products", busy),
        ];
    }

    private static async Task<double> EmptyAsync(BenchShop shop, CancellationToken ct)
    {
        await shop.DrainedAsync();
        await using var fill = shop.Database.CreateCommand(FillSql);
        fill.Parameters.Add(new NpgsqlParameter<int> { TypedValue = Backlog });
        await fill.ExecuteNonQueryAsync(ct);
        var committed = Stopwatch.GetTimestamp();
        await shop.DrainedAsync();
        return Backlog / Stopwatch.GetElapsedTime(committed).TotalSeconds;
    }

    private static async Task<(List<double> Latencies, double Rate)> BesideWritersAsync(
        BenchShop shop, HttpClient client, byte[] body, CancellationToken ct)
    {
        var probing = ProbeAsync(shop, Probes, ct);
        var rate = await ClosedLoop.RateAsync(Writers, () => !probing.IsCompleted, token => CreateAsync(client, body, token), ct);
        return (await probing, rate);
    }

    /// <summary>Milliseconds from each event's commit to the moment when the published position has passed it.</summary>
    private static async Task<List<double>> ProbeAsync(BenchShop shop, int first, CancellationToken ct)
    {
        await using var connection = await shop.Database.OpenConnectionAsync(ct);
        await using var probe = new NpgsqlCommand(ProbeSql, connection);
        await using var confirmed = new NpgsqlCommand(ConfirmedSql, connection);
        foreach (var command in (NpgsqlCommand[])[probe, confirmed])
        {
            command.Parameters.Add(new NpgsqlParameter<int>());
            await command.PrepareAsync(ct);
        }

        var latencies = new List<double>();
        for (var id = int.MaxValue - Probes * 2 + first; latencies.Count < Probes; id++)
        {
            ((NpgsqlParameter<int>)probe.Parameters[0]).TypedValue = ((NpgsqlParameter<int>)confirmed.Parameters[0]).TypedValue = id;
            await probe.ExecuteNonQueryAsync(ct);
            var committed = Stopwatch.GetTimestamp();
            while (!(bool)(await confirmed.ExecuteScalarAsync(ct))!) await Task.Delay(1, ct);
            latencies.Add(Stopwatch.GetElapsedTime(committed).TotalMilliseconds);
        }

        return latencies;
    }

    private static async Task CreateAsync(HttpClient client, byte[] body, CancellationToken ct)
    {
        using var answer = await client.PostAsync("/products", Bodies.Content(body), ct);
        answer.EnsureSuccessStatusCode();
    }
}
