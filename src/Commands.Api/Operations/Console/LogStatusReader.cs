using ApexShop.Commands.Api.Outbox;
using Npgsql;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Reads the state of the outbox and the event log, and how far a consumer is behind.</summary>
internal sealed class LogStatusReader(NpgsqlDataSource database, OutboxStatus status)
{
    private const string Head = "head";
    private const string Published = "published";

    // The counts have an upper bound, so that reading the status of a large backlog does not add to the load.
    private static readonly string sql = $"""
        SELECT (SELECT count(*) FROM (SELECT FROM shop.outbox LIMIT {OutboxSample.MaxCounted}) AS waiting),
               coalesce((SELECT clock_timestamp() - time FROM shop.outbox ORDER BY id LIMIT 1), interval '0'),
               (SELECT {LeaderLease.IsHeldSql} FROM shop.leader),
               ARRAY(SELECT name FROM shop.log_positions ORDER BY name),
               ARRAY(SELECT position FROM shop.log_positions ORDER BY name)
        """;

    // For the row comparison see EventLogSql.OfResource.
    private const string OfResource =
        "(resource, position) > (behind.resource, behind.position) AND (resource, position) <= (behind.resource, "
        + "9223372036854775807)";

    internal static readonly string LagSql = $"""
        SELECT behind.resource,
               (SELECT count(*) FROM (
                    SELECT FROM shop.events WHERE {OfResource}
                    ORDER BY resource, position LIMIT {ResourceLag.MaxCounted}) AS waiting),
               coalesce(clock_timestamp() - oldest.time, interval '0'),
               coalesce(head.position - oldest.position + 1, 0)
        FROM unnest($1, $2) AS behind (resource, position)
        CROSS JOIN (SELECT position FROM shop.log_positions WHERE name = 'head') AS head
        LEFT JOIN LATERAL (
            SELECT position, time FROM shop.events WHERE {OfResource}
            ORDER BY resource, position LIMIT 1) AS oldest ON true
        """;

    public async Task<LogPart> ReadAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var positions = row.GetFieldValue<string[]>(3).Zip(row.GetFieldValue<long[]>(4)).ToDictionary();
        return new LogPart(
            PartState.Ok,
            status.IsLeader ? "this" : row.GetBoolean(2) ? "another" : "none",
            row.GetInt64(0),
            Seconds(row.GetTimeSpan(1)),
            positions[Head],
            positions[Published],
            positions.Where(position => position.Key is not (Head or Published)).ToDictionary());
    }

    /// <summary>The events of each resource after the applied position.</summary>
    public async Task<DocumentLag?> LagAsync(
        IReadOnlyDictionary<string, long> applied, CancellationToken ct)
    {
        await using var command = database.CreateCommand(LagSql);
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. applied.Keys] });
        command.Parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [.. applied.Values] });
        await using var row = await command.ExecuteReaderAsync(ct);
        var (events, resources) = (0L, new Dictionary<string, ResourceLag>(StringComparer.Ordinal));
        while (await row.ReadAsync(ct))
        {
            resources[row.GetString(0)] = new(row.GetInt64(1), Seconds(row.GetTimeSpan(2)));
            events = Math.Max(events, row.GetInt64(3));
        }

        return new(events, resources);
    }

    // The age can be slightly negative, because two clocks of one machine may differ.
    private static double Seconds(TimeSpan age) => Math.Round(Math.Max(0, age.TotalSeconds), 3);
}
