using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The number of living documents of each kind and the sum of all versions, computed from the event log. New tables
/// with other totals are never put in use.
/// </summary>
internal sealed class ExpectedTotals
{
    private readonly Dictionary<string, Dictionary<int, (long Version, bool Lives)>> versions =
        Resource.Names.ToDictionary(resource => resource, _ => new Dictionary<int, (long, bool)>());

    public static ExpectedTotals Of(LatestEvents latest)
    {
        var expected = new ExpectedTotals();
        foreach (var resource in Resource.Names)
        {
            foreach (var decoded in latest.Of(resource).Values) expected.Add(decoded);
        }

        return expected;
    }

    /// <summary>Counts the latest version of each aggregate; repeated events change nothing.</summary>
    public void Add(DecodedEvent decoded)
    {
        if (decoded.Change is not { State: var state }
            || !(versions[decoded.Entry.Resource].GetValueOrDefault(state.Id).Version < state.Version)) return;
        versions[decoded.Entry.Resource][state.Id] = (state.Version, state is not DeletedState);
    }

    /// <exception cref="RebuildException">The new tables have other totals.</exception>
    public async Task CheckAsync(
        NpgsqlConnection connection, IReadOnlySet<(string Resource, int Id)> parked, CancellationToken ct)
    {
        foreach (var (resource, aggregates) in versions)
        {
            int[] without = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            var counted = aggregates.Where(one => !parked.Contains((resource, one.Key))).Select(
                one => one.Value).ToList();
            var (lives, sum) = await CountAsync(connection, resource, without, ct);
            var (logLives, logSum) = (counted.LongCount(one => one.Lives), counted.Sum(one => one.Version));
            if ((lives, sum) == (logLives, logSum)) continue;
            throw new RebuildException(
                $"The new {resource} differ from the event log: {lives} documents with a sum of versions of {sum}, "
                + $"expected {logLives} and {logSum}.");
        }
    }

    private static async Task<(long Lives, decimal Sum)> CountAsync(
        NpgsqlConnection connection, string resource, int[] without, CancellationToken ct)
    {
        var found = (0L, 0m);
        var statements = new StatementBatch(connection);
        statements.Add(
            $"""
            SELECT count(*) FILTER (WHERE NOT is_deleted), coalesce(sum(version), 0)
            FROM {RebuiltTables.Next}.{resource} WHERE id <> ALL($1)
            """,
            row => found = (row.GetInt64(0), row.GetDecimal(1)),
            Parameter(without));
        await statements.RunAsync(ct);
        return found;
    }
}
