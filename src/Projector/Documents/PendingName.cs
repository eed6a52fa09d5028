using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// A name that so many documents show that they are written again in later transactions, between those of other
/// changes. Until then queries put the new name into the older documents: see migration 020.
/// </summary>
/// <param name="Kind">The kind of the documents that show the name.</param>
/// <param name="Member">Their member with the id and the name.</param>
/// <param name="Key">The id.</param>
/// <param name="AfterId">Documents up to this id are written again.</param>
internal sealed record PendingName(string Kind, string Member, int Key, long AfterId)
{
    /// <summary>
    /// Each query looks at every pending name; more are not stored, and their documents are written at once.
    /// </summary>
    public const int Most = 16;

    private const string StoreSql = """
        INSERT INTO read.pending_names (kind, member, key, reference, after_id)
        SELECT $1, $2, u.key, u.reference, $5 FROM unnest($3, $4) AS u (key, reference)
        ON CONFLICT (kind, member, key) DO UPDATE
        SET reference = excluded.reference, after_id = excluded.after_id, revision = excluded.revision
        """;

    /// <summary>
    /// Adds the documents of the lookups to those to be written again, but for those of the names that become pending.
    /// </summary>
    public static async Task AddFoundAsync(
        StatementBatch statements, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct)
    {
        foreach (var lookup in dependents.Lookups)
        {
            var query = lookup.Query;
            var stored = lookup.IsComplete ? [] : await StoreAsync(statements, lookup, ct);
            int[] written = [.. lookup.Keys.Except(stored)];
            statements.Add(
                "DELETE FROM read.pending_names WHERE kind = $1 AND member = $2 AND key = ANY($3)",
                Parameter(query.Kind),
                Parameter(query.Member),
                Parameter(written));
            if (stored.Count > 0) invalidations.All(query.Kind);
            if (!lookup.IsComplete)
            {
                lookup.Ids.Clear();
                query.FindAll(statements, written, lookup.Ids);
                await statements.RunAsync(ct);
            }

            dependents.Add(query.Kind, lookup.Ids);
        }
    }

    /// <summary>The next one; null without any.</summary>
    public static async Task<PendingName?> NextAsync(StatementBatch statements, CancellationToken ct)
    {
        PendingName? next = null;
        statements.Add(
            "SELECT kind, member, key, after_id FROM read.pending_names ORDER BY revision LIMIT 1",
            row => next = new(row.GetString(0), row.GetString(1), row.GetInt32(2), row.GetInt64(3)));
        await statements.RunAsync(ct);
        return next;
    }

    /// <summary>Adds that documents up to this id are written again; all of them without an id.</summary>
    public void Reached(StatementBatch statements, int? id) => statements.Add(
        id is null
            ? "DELETE FROM read.pending_names WHERE kind = $1 AND member = $2 AND key = $3"
            : "UPDATE read.pending_names SET after_id = $4 WHERE kind = $1 AND member = $2 AND key = $3",
        [
            Parameter(Kind), Parameter(Member), Parameter(Key),
            .. id is { } last ? [Parameter((long)last)] : Array.Empty<Npgsql.NpgsqlParameter>(),
        ]);

    // The tables of a rebuild are not in use: there, nothing waits for the documents.
    private static async Task<List<int>> StoreAsync(
        StatementBatch statements, ReferenceLookup lookup, CancellationToken ct)
    {
        if (!statements.IsOfTablesInUse) return [];
        var (query, large, pending) = (lookup.Query, new List<int>(), 0L);
        query.FindLarge(statements, lookup.Keys, lookup.Most, large);
        statements.Add("SELECT count(*) FROM read.pending_names", row => pending = row.GetInt64(0));
        await statements.RunAsync(ct);

        int[] stored = [.. large.Take((int)Math.Max(0, Most - pending))];
        if (stored.Length == 0) return [];
        var names = new LoadedValues(statements);
        query.LoadNames(names, stored);
        await statements.RunAsync(ct);
        statements.Add(
            StoreSql,
            Parameter(query.Kind),
            Parameter(query.Member),
            Parameter(stored),
            Parameter(stored.Select(key => query.ReferenceTo(names, key)).ToArray()),
            Parameter(long.MinValue));
        return [.. stored];
    }
}
