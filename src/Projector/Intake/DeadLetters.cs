using ApexShop.Operations;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Messages that could not be read, in a table: there, unlike in a queue, one can be read, replayed and deleted while
/// the others stay.
/// </summary>
internal sealed class DeadLetters(NpgsqlDataSource database)
{
    /// <summary>The most bytes of a body that are shown.</summary>
    public const int MostShown = 1 << 20;

    private const int ExcerptBytes = 200;

    private const string SaveSql = """
        INSERT INTO read.dead_letters AS d (digest, body, content_type, reason) VALUES (sha256($1), $1, $2, $3)
        ON CONFLICT (digest) DO UPDATE
        SET times = d.times + 1, last_received_at = now(),
            content_type = excluded.content_type, reason = excluded.reason
        """;

    private const string ListSql = """
        SELECT id, received_at, last_received_at, times, reason, octet_length(body), substring(body FROM 1 FOR $3)
        FROM read.dead_letters WHERE id > $1 ORDER BY id LIMIT $2
        """;

    private const string FindSql = """
        SELECT id, received_at, last_received_at, times, reason, octet_length(body), substring(body FROM 1 FOR $2),
            content_type
        FROM read.dead_letters WHERE id = $1
        """;

    public async Task SaveAsync(ReadOnlyMemory<byte> body, string? contentType, string reason, CancellationToken ct)
    {
        await using var command = Command(SaveSql, Parameter(body), Text(contentType), Text(reason));
        await command.ExecuteNonQueryAsync(ct);
    }

    /// <summary>The dead letters after this one, by number.</summary>
    public async Task<List<DeadLetterHead>> ListAsync(int after, int limit, CancellationToken ct)
    {
        await using var command = Command(ListSql, Parameter(after), Parameter(limit), Parameter(ExcerptBytes));
        var letters = new List<DeadLetterHead>();
        await using var row = await command.ExecuteReaderAsync(ct);
        while (await row.ReadAsync(ct))
        {
            letters.Add(new(
                row.GetInt32(0),
                row.GetFieldValue<DateTimeOffset>(1),
                row.GetFieldValue<DateTimeOffset>(2),
                row.GetInt32(3),
                row.GetString(4),
                row.GetInt32(5),
                DeadLetterText.Excerpt(row.GetFieldValue<byte[]>(6))));
        }

        return letters;
    }

    public async Task<DeadLetter?> FindAsync(int id, CancellationToken ct)
    {
        await using var command = Command(FindSql, Parameter(id), Parameter(MostShown));
        await using var row = await command.ExecuteReaderAsync(ct);
        if (!await row.ReadAsync(ct)) return null;
        var (bytes, shown) = (row.GetInt32(5), row.GetFieldValue<byte[]>(6));
        var (encoding, text) = DeadLetterText.Of(shown, shown.Length == bytes);
        return new(
            row.GetInt32(0),
            row.GetFieldValue<DateTimeOffset>(1),
            row.GetFieldValue<DateTimeOffset>(2),
            row.GetInt32(3),
            row.GetString(4),
            bytes,
            row.IsDBNull(7) ? null : row.GetString(7),
            encoding,
            text,
            shown.Length == bytes);
    }

    /// <summary>The number and the whole body of this dead letter, or of the first after it.</summary>
    public async Task<(int Id, byte[] Body)?> BodyAsync(int id, bool orLater, CancellationToken ct)
    {
        await using var command = Command(
            $"SELECT id, body FROM read.dead_letters WHERE id {(orLater ? ">" : "=")} $1 ORDER BY id LIMIT 1",
            Parameter(id));
        await using var row = await command.ExecuteReaderAsync(ct);
        return await row.ReadAsync(ct) ? (row.GetInt32(0), row.GetFieldValue<byte[]>(1)) : null;
    }

    public async Task SaveReasonAsync(int id, string reason, CancellationToken ct)
    {
        await using var command = Command(
            "UPDATE read.dead_letters SET reason = $2 WHERE id = $1", Parameter(id), Text(reason));
        await command.ExecuteNonQueryAsync(ct);
    }

    /// <summary>False when there is no such dead letter.</summary>
    public async Task<bool> DeleteAsync(int id, CancellationToken ct)
    {
        await using var command = Command("DELETE FROM read.dead_letters WHERE id = $1", Parameter(id));
        return await command.ExecuteNonQueryAsync(ct) == 1;
    }

    // The reason may quote the body, and PostgreSQL's text cannot contain this character.
    private static NpgsqlParameter Text(string? text) => Parameter(text?.Replace('\0', ' '));

    private NpgsqlCommand Command(string sql, params NpgsqlParameter[] parameters)
    {
        var command = database.CreateCommand(sql);
        command.Parameters.AddRange(parameters);
        return command;
    }
}
