using ApexShop.Events;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>The checkpoint of one resource; the age in seconds is null while the event log is unavailable.</summary>
internal sealed record ResourceSample(string Resource, long Position, double? Age);

/// <summary>The state of the projection in the database, compared with the event log.</summary>
/// <param name="Epoch">Number of the read schema.</param>
/// <param name="PendingTags">Cache tags that are not raised in Redis after a second.</param>
/// <param name="PendingNames">Names that are not written into all documents yet.</param>
/// <param name="Lag">
/// Events from the oldest on that the documents of some resource do not show; null without the event log.
/// </param>
/// <param name="Resources">Checkpoint and age of each resource.</param>
internal sealed record ProjectionSample(
    long Epoch, long PendingTags, long PendingNames, long? Lag, IReadOnlyList<ResourceSample> Resources)
{
    // While changes are applied, the tags of the last ones are always pending.
    private const string Sql =
        """
        SELECT epoch,
               CASE WHEN pending_since < clock_timestamp() - interval '1 second'
                   THEN cardinality(pending_tags) ELSE 0 END,
               (SELECT count(*) FROM read.pending_names),
               ARRAY(SELECT resource FROM read.checkpoints ORDER BY resource),
               ARRAY(SELECT position FROM read.checkpoints ORDER BY resource)
        FROM read.projection_state
        """;

    public static async Task<ProjectionSample> TakeAsync(
        NpgsqlDataSource database, EventLogClient log, TimeProvider clock, CancellationToken ct)
    {
        var (epoch, tags, names, positions) = await ReadAsync(database, ct);
        try
        {
            var next = new List<LogEntry>();
            var resources = new List<ResourceSample>();
            foreach (var (resource, position) in positions)
            {
                var missing = await log.ReadAsync(resource, position, 1, ct);
                resources.Add(new(resource, position, missing is [var oldest, ..] ? Age(oldest, clock) : 0));
                next.AddRange(missing);
            }

            return new(epoch, tags, names, await LagAsync(next, log, ct), resources);
        }
        catch (EventLogException)
        {
            var blind = positions.Select(one => new ResourceSample(one.Resource, one.Position, null));
            return new(epoch, tags, names, null, [.. blind]);
        }
    }

    private static async Task<(long Epoch, long Tags, long Names, List<(string Resource, long Position)> Positions)>
        ReadAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var positions = row.GetFieldValue<string[]>(3).Zip(row.GetFieldValue<long[]>(4));
        return (row.GetInt64(0), row.GetInt32(1), row.GetInt64(2), [.. positions]);
    }

    // All resources share one order of positions, without gaps where no old events were removed. A resource may be far
    // behind while another has applied the last event of all.
    private static async Task<long> LagAsync(List<LogEntry> next, EventLogClient log, CancellationToken ct) =>
        next.Count == 0 ? 0 : Math.Max(0, await log.HeadAsync(ct) - next.Min(entry => entry.Position) + 1);

    private static double Age(LogEntry oldest, TimeProvider clock) =>
        Math.Max(0, (clock.GetUtcNow() - oldest.Time).TotalSeconds);
}
