using System.Data;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Some documents of a bucket, and the checkpoint, in one snapshot of the read schema.</summary>
internal sealed record BucketSnapshot(
    string Kind, int Bucket, long Checkpoint, IReadOnlySet<int> Parked, DocumentCheckResult Found);

/// <summary>
/// Reads one bucket of documents at a time, which is a segment, in a short transaction with one snapshot. Documents and
/// everything derived from them change in one commit, so any contradiction in a snapshot is an error, also while events
/// arrive.
/// </summary>
internal sealed class BucketReader(NpgsqlDataSource database, Projections projections)
{
    public const int Lowest = int.MinValue / ReadTables.SegmentSize;

    public static int[] IdsOf(int bucket)
    {
        var first = (long)bucket * ReadTables.SegmentSize;
        return [.. Enumerable.Range(0, ReadTables.SegmentSize).Select(offset => first + offset)
            .Where(id => id is >= int.MinValue and <= int.MaxValue).Select(id => (int)id)];
    }

    public async Task<BucketSnapshot> ReadAsync(
        string kind, int bucket, int[] ids, CheckedPart part, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, ct);
        // It has no lock, and to add up a million orders of one customer takes longer than the usual time.
        var statements = new StatementBatch(connection) { Timeout = 0 };
        var (checkpoint, parked) = (0L, new HashSet<int>());
        statements.Add(
            "SELECT position FROM read.checkpoints WHERE resource = $1",
            row => checkpoint = row.GetInt64(0),
            Parameter(kind));
        statements.Add(
            EventParking.AggregatesSql, row => parked.Add(row.GetInt32(0)), Parameter(kind), Parameter(ids));
        var found = await projections[kind].CheckAsync(statements, ids, part, ct);
        await transaction.CommitAsync(ct);
        return new(kind, bucket, checkpoint, parked, found);
    }

    /// <summary>The next bucket with any row in the read schema; null after the last.</summary>
    public async Task<int?> NextAsync(string kind, int from, CancellationToken ct)
    {
        await using var command = database.CreateCommand(NextSql(kind));
        command.Parameters.Add(Parameter((long)from));
        command.Parameters.Add(Parameter(kind));
        return await command.ExecuteScalarAsync(ct) is long next ? (int)next : null;
    }

    private static string NextSql(string kind)
    {
        List<string> firsts =
        [
            OfIds($"{ReadTables.Of(kind)} WHERE", "id"),
            "(SELECT min(segment) FROM read.segments WHERE kind = $2 AND segment >= $1)",
            OfIds($"{ReadTables.Changes} WHERE kind = $2 AND", "id"),
        ];
        if (kind == Resource.Products.Name)
        {
            firsts.Add("(SELECT min(segment) FROM read.category_segments WHERE segment >= $1)");
            firsts.Add(OfIds($"{ReadTables.ProductRatings} WHERE", "product_id"));
            firsts.Add(OfIds($"{ReadTables.ProductChanges} WHERE", "product_id"));
            firsts.Add(OfIds($"{ReadTables.ProductWords} WHERE", "product_id"));
        }

        firsts.AddRange(TotalsTable.All.Where(totals => totals.ShownIn == kind)
            .Select(totals => OfIds($"{totals.Table} WHERE", totals.Key)));
        return $"SELECT least({string.Join(", ", firsts)})::bigint";
    }

    private static string OfIds(string rows, string id) =>
        $"""
        (SELECT floor(min({id}) / {ReadTables.SegmentSize}.0) FROM {rows} {id} >= $1 * {ReadTables.SegmentSize})
        """;
}
