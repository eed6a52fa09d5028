using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// A new name that too many documents show to write them all in one transaction. They are written again later, between
/// other changes; until then queries put the name into the documents with a lower revision: see migration 020.
/// </summary>
/// <param name="Kind">The kind of the documents that show the name.</param>
/// <param name="Member">Their member with the id and the name.</param>
/// <param name="Key">The id.</param>
/// <param name="Revision">The revision of the name; another name has another one.</param>
/// <param name="Epoch">The epoch of the tables: others, with other documents, have another one.</param>
internal sealed record PendingName(string Kind, string Member, int Key, long Revision, long Epoch)
{
    /// <summary>More are not stored, and their documents are written at once.</summary>
    public const int Most = 10_000;

    // In tables that are not in use, the ids of this many times as many documents are in memory together.
    private const int MostTogether = 20;

    private const string IsThis = "kind = $1 AND member = $2 AND key = $3 AND revision = $4";

    // The same name again keeps its revision: its documents need not be written twice.
    private const string StoreSql = """
        INSERT INTO read.pending_names AS t (kind, member, key, reference)
        SELECT $1, $2, u.key, u.reference FROM unnest($3, $4) AS u (key, reference)
        ON CONFLICT (kind, member, key) DO UPDATE
        SET reference = excluded.reference, revision = excluded.revision WHERE t.reference <> excluded.reference
        """;

    /// <summary>
    /// Adds the documents that were found to those that are written now. A name with too many documents becomes
    /// pending instead; in tables that are not in use its documents are read in pages.
    /// </summary>
    public static async Task AddFoundAsync(
        StatementBatch statements, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct)
    {
        foreach (var lookup in dependents.Lookups)
        {
            var query = lookup.Query;
            if (!lookup.IsComplete)
            {
                var stored = await StoreAsync(statements, lookup, ct);
                if (stored.Length > 0) invalidations.AddWholeKind(query.Kind);
                lookup.Ids.Clear();
                int[] others = [.. lookup.Keys.Except(stored)];
                if (!statements.IsOfTablesInUse)
                {
                    query.FindLarge(statements, others, lookup.Most * MostTogether, lookup.Paged);
                    await statements.RunAsync(ct);
                }

                query.FindAll(statements, others.Except(lookup.Paged), lookup.Ids);
                await statements.RunAsync(ct);
            }

            dependents.Add(query.Kind, lookup.Ids);
        }
    }

    /// <summary>The name that is pending for the longest time; null without any.</summary>
    public static async Task<PendingName?> NextAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand("""
            SELECT kind, member, key, revision, (SELECT epoch FROM read.projection_state)
            FROM read.pending_names ORDER BY revision LIMIT 1
            """);
        await using var row = await command.ExecuteReaderAsync(ct);
        return await row.ReadAsync(ct)
            ? new(row.GetString(0), row.GetString(1), row.GetInt32(2), row.GetInt64(3), row.GetInt64(4))
            : null;
    }

    /// <summary>Whether it is still pending, and not replaced by another name or in other tables.</summary>
    public async Task<bool> IsPendingAsync(StatementBatch statements, CancellationToken ct)
    {
        var isPending = false;
        statements.Add(
            $"SELECT FROM read.pending_names, read.projection_state WHERE {IsThis} AND epoch = $5",
            _ => isPending = true,
            [.. Parameters(), Parameter(Epoch)]);
        await statements.RunAsync(ct);
        return isPending;
    }

    /// <summary>Ends it: all documents have the name.</summary>
    public void End(StatementBatch statements) =>
        statements.Add($"DELETE FROM read.pending_names WHERE {IsThis}", Parameters());

    private NpgsqlParameter[] Parameters() =>
        [Parameter(Kind), Parameter(Member), Parameter(Key), Parameter(Revision)];

    // In tables that are not in use nothing waits for the documents, so no other name becomes pending there.
    private static async Task<int[]> StoreAsync(
        StatementBatch statements, ReferenceLookup lookup, CancellationToken ct)
    {
        var (query, large, free) = (lookup.Query, new List<int>(), 0);
        if (statements.IsOfTablesInUse)
        {
            query.FindLarge(statements, lookup.Keys, lookup.Most, large);
            statements.Add($"SELECT {Most} - count(*)::integer FROM read.pending_names", row => free = row.GetInt32(0));
            await statements.RunAsync(ct);
        }

        // A pending name stays pending: queries have shown it, so it ends only when each document is written with it.
        int[] stored = [.. lookup.Pending.Concat(large.Except(lookup.Pending).Take(Math.Max(0, free))).Order()];
        if (stored.Length == 0) return stored;
        var names = new LoadedValues(statements);
        query.LoadNames(names, stored);
        await statements.RunAsync(ct);
        statements.Add(
            StoreSql,
            Parameter(query.Kind),
            Parameter(query.Member),
            Parameter(stored),
            Parameter(stored.Select(key => query.ReferenceTo(names, key)).ToArray()));
        return stored;
    }
}
