using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>Fills the new tables with the documents of the log as it was read, in one transaction.</summary>
internal sealed partial class Filling(
    NpgsqlConnection connection, Projections projections, ParkedAgain parkedAgain, RebuildProgress progress)
{
    /// <summary>
    /// Gives the aggregates that stay parked. Suspects are those that were parked before; whatever is refused becomes one.
    /// </summary>
    public async Task<HashSet<(string Resource, int Id)>> RunAsync(
        LogEnds ends, HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        foreach (var resource in Resource.Names) suspects.UnionWith(Unreadable(resource, ends));
        while (true)
        {
            await using var transaction = await connection.BeginTransactionAsync(ct);
            try
            {
                var parked = await FillAsync(ends, suspects, ct);
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
        LogEnds ends, HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        var changes = ends.Changes(suspects);
        progress.Begin(RebuildPhase.Copying, changes);
        await NewTables.CreateAsync(connection, ct);
        // What is written with the ordinary statements needs its key; the documents get theirs when they are there.
        await NewTables.KeyAsync(connection, RebuiltTables.Beside, ct);
        var (round, touched) = (new Round(connection, RebuiltTables.Next), new Touched());
        await CopyAsync(round, changes, touched, ct);
        touched.RaiseSegments(round, ends.Position);
        round.Add(
            "INSERT INTO read.checkpoints (resource, position) SELECT resource, 0 FROM unnest($1) AS u (resource)",
            Round.Parameter(Resource.Names.ToArray()));
        await round.RunAsync(ct);

        progress.Phase = RebuildPhase.Indexing;
        await NewTables.IndexAsync(connection, ct);
        return await parkedAgain.TryAsync(round, suspects, ends, ct);
    }

    private async Task CopyAsync(Round round, Dictionary<string, List<Change>> changes, Touched touched, CancellationToken ct)
    {
        var known = new KnownValues(changes);
        foreach (var resource in Resource.Names)
        {
            foreach (var piece in await CopyAsync(resource, changes[resource], known, ct))
            {
                piece(round);
                await round.RunAsync(ct);
            }

            foreach (var change in changes[resource])
            {
                if (change.State is not DeletedState) touched.Counted(resource, change.State.Id);
            }
        }
    }

    private async Task<IReadOnlyList<Action<Round>>> CopyAsync(string resource, List<Change> changes, ILookups known, CancellationToken ct)
    {
        try
        {
            var beside = await projections[resource].CopyAsync(
                connection, RebuiltTables.Next, changes, known, () => progress.Copied(resource), ct);
            await NewTables.KeyAsync(connection, [resource], ct);
            return beside;
        }
        catch (PostgresException refused) when (Round.IsDataFault(refused) && Line(refused) is { } line && line <= changes.Count)
        {
            throw new RefusedException(resource, changes[line - 1].State.Id, refused);
        }
    }

    // An event without readable data has no document to copy.
    private static IEnumerable<(string Resource, int Id)> Unreadable(string resource, LogEnds ends) =>
        ends.Of(resource).Where(one => one.Value.Change is null).Select(one => (resource, one.Key));

    // PostgreSQL says where it stopped, in the server's language: "COPY products, line 17, column price".
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
