using System.Runtime.CompilerServices;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Commands.Api.Auditing;

/// <summary>
/// Checksums over the rows of the tables, made of the very text that set-based commands write into events. Each answer is
/// one statement, hence one moment: a row, the end of the log and the outbox in it belong together.
/// </summary>
internal sealed class StateChecksums(NpgsqlDataSource connections)
{
    /// <summary>The next so many buckets, from the first that has a row; those without a row are left out.</summary>
    public async IAsyncEnumerable<BucketChecksum> BucketsAsync(
        string resource, int from, int limit, [EnumeratorCancellation] CancellationToken ct)
    {
        var sql = $"""
            WITH first AS (SELECT min(id)::bigint / {StateChecksum.BucketSize} AS bucket FROM shop.{resource} WHERE id >= $1 * {StateChecksum.BucketSize})
            SELECT r.id / {StateChecksum.BucketSize}, count(*)::integer,
                encode(sha256(string_agg({Checksum(resource)}, ''::bytea ORDER BY r.id)), 'hex')
            FROM shop.{resource} AS r
            WHERE r.id >= (SELECT bucket FROM first) * {StateChecksum.BucketSize}
                AND r.id < ((SELECT bucket FROM first) + $2) * {StateChecksum.BucketSize}
            GROUP BY 1 ORDER BY 1
            """;
        await using var command = connections.CreateCommand(sql);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = from });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = limit });
        await using var row = await command.ExecuteReaderAsync(ct);
        while (await row.ReadAsync(ct)) yield return new(row.GetInt32(0), row.GetInt32(1), row.GetString(2));
    }

    /// <summary>Every aggregate of a bucket that has a row, or had one and has events.</summary>
    public async IAsyncEnumerable<AggregateCheck> AggregatesAsync(
        string resource, int bucket, [EnumeratorCancellation] CancellationToken ct)
    {
        var sql = $"""
            SELECT u.id::integer, r.version, CASE WHEN r.id IS NOT NULL THEN encode({Checksum(resource)}, 'hex') END,
                e.position, e.version, coalesce(e.type LIKE '%.deleted', false), w.id IS NOT NULL
            FROM generate_series($1::bigint, $1 + {StateChecksum.BucketSize - 1}) AS u (id)
            LEFT JOIN shop.{resource} AS r ON r.id = u.id
            LEFT JOIN LATERAL (
                SELECT position, version, type FROM shop.events WHERE resource = $2 AND aggregate_id = u.id
                ORDER BY position DESC LIMIT 1) AS e ON true
            LEFT JOIN (SELECT DISTINCT aggregate_id AS id FROM shop.outbox WHERE resource = $2) AS w ON w.id = u.id
            WHERE u.id <= {int.MaxValue} AND (r.id IS NOT NULL OR e.position IS NOT NULL OR w.id IS NOT NULL)
            ORDER BY u.id
            """;
        await using var command = connections.CreateCommand(sql);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = (long)bucket * StateChecksum.BucketSize });
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = resource });
        await using var row = await command.ExecuteReaderAsync(ct);
        while (await row.ReadAsync(ct))
        {
            yield return new(
                row.GetInt32(0), Number(row, 1), row.IsDBNull(2) ? null : row.GetString(2), Number(row, 3), Number(row, 4),
                row.GetBoolean(5), row.GetBoolean(6));
        }
    }

    private static string Checksum(string resource) => $"sha256(convert_to(shop.{Resource.Of(resource).Singular}_state(r)::text, 'UTF8'))";

    private static long? Number(NpgsqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetInt64(column);
}
