using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using ApexShop.Resources;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The aggregates whose last event was parked before, or is refused now. The staged tables do not have them, and
/// <see cref="ParkedRetry"/> applies their events. A table has them: a rebuild that is continued leaves out the same.
/// </summary>
internal static class StagedSuspects
{
    public const string CreateSql =
        $"CREATE UNLOGGED TABLE {Table} (resource text, aggregate_id integer, PRIMARY KEY (resource, aggregate_id))";

    private const string Table = RebuiltTables.StagedPrefix + "suspects";

    public static void Add(StatementBatch statements, string resource, IReadOnlyCollection<int> ids)
    {
        if (ids.Count == 0) return;
        statements.Add(
            $"INSERT INTO {Table} SELECT $1, unnest($2) ON CONFLICT DO NOTHING",
            Parameter(resource),
            Parameter(ids.ToArray()));
    }

    /// <summary>Adds those with a parked event in the tables in use.</summary>
    public static void AddParked(StatementBatch statements) => statements.Add(
        $"INSERT INTO {Table} SELECT DISTINCT resource, aggregate_id FROM {ReadTables.ParkedEvents} "
        + "ON CONFLICT DO NOTHING");

    /// <summary>Removes them from the staged tables, which the statements change.</summary>
    public static void Remove(StatementBatch staged)
    {
        foreach (var resource in Resource.Names)
            staged.Add(
                $"DELETE FROM {ReadTables.Of(resource)} "
                + $"WHERE id IN (SELECT aggregate_id FROM {Table} WHERE resource = '{resource}')");
    }

    public static async Task<List<(string Resource, int Id)>> ReadAsync(StatementBatch statements, CancellationToken ct)
    {
        var suspects = new List<(string, int)>();
        statements.Add(
            $"SELECT resource, aggregate_id FROM {Table} ORDER BY 1, 2",
            row => suspects.Add((row.GetString(0), row.GetInt32(1))));
        await statements.RunAsync(ct);
        return suspects;
    }
}
