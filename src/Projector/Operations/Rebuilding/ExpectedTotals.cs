using ApexShop.Projector.Documents;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The number of living documents of each kind and the sum of all versions, computed from the staged events. New tables
/// with other totals are never put in use.
/// </summary>
internal static class ExpectedTotals
{
    /// <summary>Counts the latest version of each aggregate; repeated events change nothing.</summary>
    public static void Add(StatementBatch statements, string resource, IEnumerable<DecodedEvent> events)
    {
        var latest = events.Select(decoded => decoded.Change?.State).OfType<Events.IAggregateState>()
            .GroupBy(state => state.Id, (_, states) => states.MaxBy(state => state.Version)!).ToList();
        statements.Add(
            $"""
            INSERT INTO {RebuiltTables.StagedPrefix}{resource} AS t (id, version, is_deleted)
            SELECT * FROM unnest($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, is_deleted = excluded.is_deleted
            WHERE t.version < excluded.version
            """,
            Parameter(latest.Select(state => state.Id).ToArray()),
            Parameter(latest.Select(state => state.Version).ToArray()),
            Parameter(latest.Select(state => state is Events.DeletedState).ToArray()));
    }

    /// <exception cref="RebuildException">The new tables have other totals.</exception>
    public static async Task CheckAsync(
        NpgsqlConnection connection, IReadOnlySet<(string Resource, int Id)> parked, CancellationToken ct)
    {
        foreach (var resource in Resource.Names)
        {
            int[] without = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            var (lives, sum) = await CountAsync(connection, RebuiltTables.NextPrefix + resource, without, ct);
            var (logLives, logSum) = await CountAsync(connection, RebuiltTables.StagedPrefix + resource, without, ct);
            if ((lives, sum) == (logLives, logSum)) continue;
            throw new RebuildException(
                $"The new {resource} differ from the event log: {lives} documents with a sum of versions of {sum}, "
                + $"expected {logLives} and {logSum}.");
        }
    }

    private static async Task<(long Lives, decimal Sum)> CountAsync(
        NpgsqlConnection connection, string table, int[] without, CancellationToken ct)
    {
        var found = (0L, 0m);
        var statements = new StatementBatch(connection);
        statements.Add(
            $"""
            SELECT count(*) FILTER (WHERE NOT is_deleted), coalesce(sum(version), 0)
            FROM {table} WHERE id <> ALL($1)
            """,
            row => found = (row.GetInt64(0), row.GetDecimal(1)),
            Parameter(without));
        await statements.RunAsync(ct);
        return found;
    }
}
