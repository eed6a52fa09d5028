using System.Text.Json;
using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>Finds the documents of one kind that show the name of a document of another kind.</summary>
/// <param name="kind">The kind of the documents that show the name.</param>
/// <param name="column">The column with the id of the other document.</param>
/// <param name="member">The member with its id and name, a <see cref="Reference"/>.</param>
internal abstract class ReferenceQuery(string kind, string column, string member)
{
    // At most so many documents are read under the lock, with or without the name: events wait meanwhile.
    private const int MostRead = 2_000;

    private readonly string documents =
        $"SELECT {column}, id FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted";

    private readonly string page = $"""
        SELECT id FROM {ReadTables.Of(kind)}
        WHERE {column} = $1 AND id > $2 AND NOT is_deleted ORDER BY id LIMIT $3
        """;

    private readonly string unwritten = $"""
        SELECT id FROM {ReadTables.Of(kind)}
        WHERE {column} = $1 AND id > $2 AND revision < $3 AND NOT is_deleted ORDER BY id LIMIT $4
        """;

    private readonly string next = $"""
        SELECT id FROM (
            SELECT id, revision FROM {ReadTables.Of(kind)}
            WHERE {column} = $1 AND id > $2 AND NOT is_deleted ORDER BY id LIMIT {MostRead}) AS next
        WHERE revision < $3 ORDER BY id LIMIT $4
        """;

    private readonly string lastRead = $"""
        SELECT id FROM {ReadTables.Of(kind)}
        WHERE {column} = $1 AND id > $2 AND NOT is_deleted ORDER BY id OFFSET {MostRead - 1} LIMIT 1
        """;

    public string Kind => kind;

    public string Member => member;

    /// <summary>Finds the documents; at most <paramref name="most"/> + 1 are read.</summary>
    public ReferenceLookup Find(StatementBatch statements, int[] keys, int most)
    {
        var lookup = new ReferenceLookup(this, keys, most);
        var first = new KeyedQuery(column, FormattableString.Invariant($"{documents} LIMIT {most + 1}"));
        first.AddTo(statements, keys, row => lookup.Ids.Add(row.GetInt32(1)), () => lookup.Rows++);
        statements.Add(
            "SELECT key FROM read.pending_names WHERE kind = $1 AND member = $2 AND key = ANY($3)",
            row => lookup.Pending.Add(row.GetInt32(0)),
            Parameter(kind),
            Parameter(member),
            Parameter(keys));
        return lookup;
    }

    /// <summary>Finds all documents.</summary>
    public void FindAll(StatementBatch statements, IEnumerable<int> keys, HashSet<int> found) =>
        statements.Add(
            documents.Replace("@keys", $"{column} = ANY($1)", StringComparison.Ordinal),
            row => found.Add(row.GetInt32(1)),
            Parameter(keys.ToArray()));

    /// <summary>Finds the next documents of one key after an id, in the order of ids.</summary>
    public async Task<int[]> PageAsync(StatementBatch statements, int key, int after, int most, CancellationToken ct)
    {
        var ids = new List<int>(most);
        statements.Add(
            page, row => ids.Add(row.GetInt32(0)), Parameter(key), Parameter(after), Parameter(most));
        await statements.RunAsync(ct);
        return [.. ids];
    }

    /// <summary>The first document without the pending name; the highest id if there is none.</summary>
    public async Task<int> FirstAsync(NpgsqlDataSource database, PendingName name, CancellationToken ct)
    {
        await using var command = database.CreateCommand(unwritten);
        // It reads past all documents that have the name already, and holds no lock.
        command.CommandTimeout = 0;
        command.Parameters.AddRange(UnwrittenParameters(name, int.MinValue, 1));
        return (int?)await command.ExecuteScalarAsync(ct) ?? int.MaxValue;
    }

    /// <summary>
    /// Finds the next documents after an id without the pending name, in the order of ids, and the id up to which
    /// documents were read; null when all were.
    /// </summary>
    public async Task<(List<int> Ids, int? LastRead)> NextAsync(
        StatementBatch statements, PendingName name, int after, int most, CancellationToken ct)
    {
        var ids = new List<int>();
        statements.Add(next, row => ids.Add(row.GetInt32(0)), UnwrittenParameters(name, after, most));
        await statements.RunAsync(ct);
        if (ids.Count == most) return (ids, ids[^1]);
        int? last = null;
        statements.Add(lastRead, row => last = row.GetInt32(0), Parameter(name.Key), Parameter(after));
        await statements.RunAsync(ct);
        return (ids, last);
    }

    /// <summary>
    /// Finds the keys with the most documents, so that the others together have at most <paramref name="most"/>.
    /// </summary>
    public void FindLarge(StatementBatch statements, int[] keys, int most, List<int> found) => statements.Add(
        $"""
        SELECT key FROM (
            SELECT u.key, sum(shown.documents) OVER (ORDER BY shown.documents, u.key) AS total
            FROM unnest($1) AS u (key) CROSS JOIN LATERAL (
                SELECT count(*) AS documents FROM (
                    SELECT FROM {ReadTables.Of(kind)} WHERE {column} = u.key AND NOT is_deleted LIMIT $2 + 1) AS first
            ) AS shown) AS counted
        WHERE total > $2 ORDER BY total DESC
        """,
        row => found.Add(row.GetInt32(0)),
        Parameter(keys),
        Parameter(most));

    public abstract void LoadNames(LoadedValues values, IEnumerable<int> keys);

    /// <summary>The loaded name; null when the document is deleted or not there yet.</summary>
    public abstract string? NameOf(LoadedValues values, int key);

    /// <summary>The member as JSON, in the same bytes as in a document.</summary>
    public string ReferenceTo(LoadedValues values, int key) =>
        JsonSerializer.Serialize(new Reference(key, NameOf(values, key)), ReadModelJson.Wire.Reference);

    private static NpgsqlParameter[] UnwrittenParameters(PendingName name, int after, int most) =>
        [Parameter(name.Key), Parameter(after), Parameter(name.Revision), Parameter(most)];
}

/// <summary>Finds documents that show a name, which is made of the <paramref name="value"/> of another.</summary>
internal sealed class ReferenceQuery<T>(
    string kind, string column, string member, DerivedValue<T> value, Func<Dictionary<int, T>, int, string?> name)
    : ReferenceQuery(kind, column, member)
{
    public override void LoadNames(LoadedValues values, IEnumerable<int> keys) => values.Load(value, keys);

    public override string? NameOf(LoadedValues values, int key) => name(values.Of(value), key);
}
