using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Fills the new tables with the documents of the latest events, in one transaction.</summary>
internal sealed partial class TableFiller(
    NpgsqlConnection connection, Projections projections, ParkedRetry parkedRetry, RebuildProgress progress)
{
    /// <summary>
    /// Gives the aggregates that stay parked. Suspects are those that were parked before; one that the database refuses
    /// becomes a suspect, and the tables are filled again without it.
    /// </summary>
    public async Task<HashSet<(string Resource, int Id)>> RunAsync(
        LatestEvents latest, HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        foreach (var resource in Resource.Names) suspects.UnionWith(Unreadable(resource, latest));
        while (true)
        {
            await using var transaction = await connection.BeginTransactionAsync(ct);
            try
            {
                var parked = await FillAsync(latest, suspects, ct);
                await transaction.CommitAsync(ct);
                return parked;
            }
            catch (RefusedException refused)
            {
                await transaction.RollbackAsync(ct);
                suspects.Add((refused.Resource, refused.Id));
            }
        }
    }

    private async Task<HashSet<(string Resource, int Id)>> FillAsync(
        LatestEvents latest, HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        var changes = latest.Changes(suspects);
        progress.Begin(RebuildPhase.Copying, changes);
        await TableDdl.CreateAsync(connection, ct);
        // The side tables are written row by row and need their keys; the documents get theirs after the copy.
        await TableDdl.KeyAsync(connection, RebuiltTables.SideTables, ct);
        var (statements, invalidations) = (new StatementBatch(connection, RebuiltTables.Next), new Invalidations());
        await CopyAsync(statements, changes, invalidations, ct);
        invalidations.RaiseSegments(statements, latest.Position);
        statements.Add(
            "INSERT INTO read.checkpoints (resource, position) SELECT resource, 0 FROM unnest($1) AS u (resource)",
            Parameter(Resource.Names.ToArray()));
        await statements.RunAsync(ct);

        progress.Phase = RebuildPhase.Indexing;
        await TableDdl.IndexAsync(connection, ct);
        return await parkedRetry.TryAsync(statements, suspects, latest, ct);
    }

    private async Task CopyAsync(
        StatementBatch statements,
        Dictionary<string, List<StateChange>> changes,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var values = new DerivedValuesFromLog(changes);
        foreach (var resource in Resource.Names)
        {
            var copied = await CopyAsync(resource, changes[resource], values, ct);
            await copied.SummariseAsync(statements, ct);
            statements.Add(
                $"INSERT INTO {ReadTables.Changes} (kind, id, revision) "
                    + $"SELECT '{resource}', id, revision FROM {ReadTables.Of(resource)}");
            foreach (var change in changes[resource])
            {
                if (change.State is not DeletedState) invalidations.Counted(resource, change.State.Id);
            }
        }
    }

    private async Task<CopiedDocuments> CopyAsync(
        string resource, List<StateChange> changes, IDerivedValues values, CancellationToken ct)
    {
        try
        {
            var copied = await projections[resource].CopyAsync(
                connection, RebuiltTables.Next, changes, values, () => progress.Copied(resource), ct);
            await TableDdl.KeyAsync(connection, [resource], ct);
            return copied;
        }
        catch (PostgresException refused) when (StatementBatch.IsDataFault(refused) && Line(refused) is { } line
            && line <= changes.Count)
        {
            throw new RefusedException(resource, changes[line - 1].State.Id, refused);
        }
    }

    // An event without readable data has no document to copy.
    private static IEnumerable<(string Resource, int Id)> Unreadable(string resource, LatestEvents latest) =>
        latest.Of(resource).Where(one => one.Value.Change is null).Select(one => (resource, one.Key));

    // PostgreSQL gives the line in the server's language: "COPY products, line 17, column price".
    private static int? Line(PostgresException refused) =>
        refused.Where is { } where && Number().Match(where) is { Success: true } number
            ? int.Parse(number.Value, CultureInfo.InvariantCulture)
            : null;

    [GeneratedRegex("(?<=^COPY .*)[0-9]+")]
    private static partial Regex Number();

    private sealed class RefusedException(string resource, int id, Exception inner) : Exception(inner.Message, inner)
    {
        public string Resource => resource;

        public int Id => id;
    }
}
