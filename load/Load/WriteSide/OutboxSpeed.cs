using System.Diagnostics;
using Npgsql;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// From the outbox to the broker's confirm: the events a second from a full outbox, and the delay of one event after
/// its commit, alone and beside eight callers that create products.
/// </summary>
internal static class OutboxSpeed
{
    private const int Backlog = 50_000;
    private const int Rounds = 5;
    private const int Probes = 300;
    private const int Writers = 8;

    private const string ConfirmedSql =
        """
        SELECT coalesce(
            (SELECT max(position) FROM shop.events WHERE resource = 'products' AND aggregate_id = $1)
                <= (SELECT position FROM shop.log_positions WHERE name = 'published'), false)
        """;

    private const string FillSql =
        """
        WITH filled AS (
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
            SELECT 'apexshop.product.updated', 'products', p.id, n, shop.product_state(p)
            FROM generate_series(1, $1) AS n CROSS JOIN (SELECT * FROM shop.products LIMIT 1) AS p
            RETURNING id
        )
        SELECT pg_notify('apexshop_outbox', '') FROM (SELECT count(*) FROM filled) AS rows
        """;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(Writers);
        var body = Bodies.Json(Bodies.Product(await Bodies.CreateCategoryAsync(client, ct)));
        await Bodies.CreateAsync(client, body, ct);

        await EmptyAsync(shop, ct);
        var rates = new List<double>();
        for (var round = 1; round <= Rounds; round++)
        {
            rates.Add(await EmptyAsync(shop, ct));
            await progress.WriteLineAsync(
                FormattableString.Invariant($"  backlog {round} of {Rounds}: {rates[^1]:0} events a second"));
        }

        await ProbeAsync(shop, body, ct);
        var idle = await ProbeAsync(shop, body, ct);
        await progress.WriteLineAsync($"  idle: {Probes} products, one at a time");
        var (busy, rate) = await BesideWritersAsync(shop, client, body, ct);
        await progress.WriteLineAsync(
            FormattableString.Invariant($"  busy: {Probes} products beside {rate:0} products a second"));
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
        var probing = ProbeAsync(shop, body, ct);
        var rate = await ClosedLoop.RateAsync(
            Writers, () => !probing.IsCompleted, token => Bodies.CreateAsync(client, body, token), ct);
        return (await probing, rate);
    }

    /// <summary>
    /// Milliseconds from the response to a POST, which is sent right after the commit, until the published
    /// position has passed its event; polled every millisecond.
    /// </summary>
    private static async Task<List<double>> ProbeAsync(BenchShop shop, byte[] body, CancellationToken ct)
    {
        using var client = shop.Client(1);
        await using var connection = await shop.Database.OpenConnectionAsync(ct);
        var id = new NpgsqlParameter<int>();
        await using var confirmed = new NpgsqlCommand(ConfirmedSql, connection) { Parameters = { id } };
        await confirmed.PrepareAsync(ct);

        var latencies = new List<double>();
        while (latencies.Count < Probes)
        {
            id.TypedValue = await Bodies.CreateAsync(client, body, ct);
            var answered = Stopwatch.GetTimestamp();
            while (!(bool)(await confirmed.ExecuteScalarAsync(ct))!) await Task.Delay(1, ct);
            latencies.Add(Stopwatch.GetElapsedTime(answered).TotalMilliseconds);
        }

        return latencies;
    }
}
