using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Numbers and ages (in seconds) of waiting events, the last position of each resource, and the number of servers that
/// copy the database.
/// </summary>
internal sealed record OutboxSample(
    long Pending,
    double PendingAge,
    long Head,
    long Published,
    double UnpublishedAge,
    long Replicas,
    IReadOnlyDictionary<string, long> Positions)
{
    /// <summary>
    /// More waiting events are not counted: during an outage every process would otherwise read the whole table with
    /// each sample.
    /// </summary>
    public const int MaxCounted = 100_000;

    private static readonly string sql =
        $"""
        SELECT (SELECT count(*) FROM (SELECT FROM shop.outbox LIMIT {MaxCounted}) AS waiting),
               coalesce((SELECT extract(epoch FROM clock_timestamp() - time)
                   FROM shop.outbox ORDER BY id LIMIT 1), 0)::float8,
               coalesce((SELECT extract(epoch FROM clock_timestamp() - time) FROM shop.events
                   WHERE position > (SELECT position FROM shop.log_positions WHERE name = 'published')
                   ORDER BY position LIMIT 1), 0)::float8,
               -- All rows: the role sees the other columns only of its own connections.
               (SELECT count(*) FROM pg_stat_replication),
               ARRAY(SELECT name FROM shop.log_positions ORDER BY name),
               ARRAY(SELECT position FROM shop.log_positions ORDER BY name)
        """;

    public static async Task<OutboxSample> TakeAsync(NpgsqlDataSource connections, CancellationToken ct)
    {
        await using var command = connections.CreateCommand(sql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var positions = row.GetFieldValue<string[]>(4).Zip(row.GetFieldValue<long[]>(5)).ToDictionary();
        positions.Remove("head", out var head);
        positions.Remove("published", out var published);
        // Never negative, since time and clock_timestamp() may come from different clocks.
        var (pendingAge, unpublishedAge) = (Math.Max(0, row.GetDouble(1)), Math.Max(0, row.GetDouble(2)));
        return new(row.GetInt64(0), pendingAge, head, published, unpublishedAge, row.GetInt64(3), positions);
    }
}
