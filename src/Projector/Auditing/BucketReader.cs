using System.Data;
using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Auditing;

/// <summary>Some documents of a bucket as one snapshot of the read schema has them, and how far the projection was in it.</summary>
internal sealed record BucketLook(string Kind, int Bucket, long Checkpoint, IReadOnlySet<int> Parked, Examination Found);

/// <summary>
/// Looks at one bucket of documents at a time. A bucket is a segment; each look is a short transaction over one
/// snapshot. The Projector changes documents and all that is derived from them in one commit, so whatever does not fit
/// together in a snapshot is wrong, also while events come in.
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

    public async Task<BucketLook> LookAsync(string kind, int bucket, int[] ids, ExaminedPart part, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, ct);
        var round = new Round(connection);
        var (checkpoint, parked) = (0L, new HashSet<int>());
        round.Add("SELECT position FROM read.checkpoints WHERE resource = $1", row => checkpoint = row.GetInt64(0), Round.Parameter(kind));
        round.Add(
            "SELECT DISTINCT aggregate_id FROM read.parked_events WHERE resource = $1 AND aggregate_id BETWEEN $2 AND $3",
            row => parked.Add(row.GetInt32(0)),
            Round.Parameter(kind),
            Round.Parameter(ids.Min()),
            Round.Parameter(ids.Max()));
        var found = await projections[kind].ExamineAsync(round, ids, part, ct);
        await transaction.CommitAsync(ct);
        return new(kind, bucket, checkpoint, parked, found);
    }

    /// <summary>The first bucket from here on of which the read schema has anything at all; null behind the last.</summary>
    public async Task<int?> NextAsync(string kind, int from, CancellationToken ct)
    {
        await using var command = database.CreateCommand(NextSql(kind));
        command.Parameters.Add(Round.Parameter((long)from));
        command.Parameters.Add(Round.Parameter(kind));
        return await command.ExecuteScalarAsync(ct) is long next ? (int)next : null;
    }

    private static string NextSql(string kind)
    {
        List<string> firsts =
        [
            OfIds(ReadTables.Of(kind), "id"),
            "(SELECT min(segment) FROM read.segments WHERE kind = $2 AND segment >= $1)",
        ];
        if (kind == Resource.Products.Name)
        {
            firsts.Add("(SELECT min(segment) FROM read.category_segments WHERE segment >= $1)");
            firsts.Add(OfIds(ReadTables.ProductRatings, "product_id"));
            firsts.Add(OfIds(ReadTables.ProductChanges, "product_id"));
            firsts.Add(OfIds(ReadTables.ProductWords, "product_id"));
        }

        return $"SELECT least({string.Join(", ", firsts)})::bigint";
    }

    private static string OfIds(string table, string id) =>
        $"(SELECT floor(min({id}) / {ReadTables.SegmentSize}.0) FROM {table} WHERE {id} >= $1 * {ReadTables.SegmentSize})";
}
