using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Every question to one resource's documents. Their bytes are copied, never looked into.</summary>
internal sealed class ReadModelReader(Resource resource, NpgsqlDataSource database)
{
    private const string EpochSql = $"SELECT epoch FROM {ReadTables.ProjectionState}";

    // Totals are kept by the projector, segment by segment: counting would read every row for every page.
    private const string TotalSql =
        $"SELECT coalesce(sum(document_count), 0) FROM {ReadTables.Segments} WHERE kind = $1";

    internal string AfterSql { get; } =
        $"SELECT id, body FROM {resource.Table} WHERE id > $1 AND NOT is_deleted ORDER BY id LIMIT $2";

    internal string PageSql { get; } =
        $"SELECT id, body FROM {resource.Table} WHERE NOT is_deleted ORDER BY id LIMIT $1 OFFSET $2";

    /// <summary>
    /// Appends up to <paramref name="take"/> documents behind an id, each followed by the separator; fewer when they
    /// fill the buffer to <paramref name="enough"/> bytes before.
    /// </summary>
    public async Task<Slice> AfterAsync(
        int after, int take, int enough, byte separator, PooledBuffer into, CancellationToken ct)
    {
        await using var command = database.CreateCommand(AfterSql);
        command.Parameters.Add(Value(after));
        command.Parameters.Add(Value(take + 1));
        await using var rows = await command.ExecuteReaderAsync(ct);
        return await CopyRowsAsync(rows, take, enough, separator, into, ct);
    }

    /// <summary>The same for a page that a cursor continues: with the epoch that the cursor is to carry.</summary>
    public async Task<(long Epoch, Slice Slice)> PageAfterAsync(
        int after, int take, PooledBuffer into, CancellationToken ct)
    {
        await using var batch = database.CreateBatch();
        batch.BatchCommands.Add(new NpgsqlBatchCommand(EpochSql));
        batch.BatchCommands.Add(new NpgsqlBatchCommand(AfterSql) { Parameters = { Value(after), Value(take + 1) } });
        await using var rows = await batch.ExecuteReaderAsync(ct);
        var epoch = await ReadNumberAsync(rows, ct);
        return (epoch, await CopyRowsAsync(rows, take, int.MaxValue, (byte)',', into, ct));
    }

    /// <summary>Appends the documents of a page by its number; answers with the total of all documents.</summary>
    public async Task<(long Total, Slice Slice)> PageAsync(PageRequest page, PooledBuffer into, CancellationToken ct)
    {
        await using var batch = database.CreateBatch();
        batch.BatchCommands.Add(new NpgsqlBatchCommand(TotalSql) { Parameters = { Value(resource.Name) } });
        batch.BatchCommands.Add(
            new NpgsqlBatchCommand(PageSql) { Parameters = { Value(page.Size), Value(page.Offset) } });
        await using var rows = await batch.ExecuteReaderAsync(ct);
        var total = await ReadNumberAsync(rows, ct);
        return (total, await CopyRowsAsync(rows, page.Size, int.MaxValue, (byte)',', into, ct));
    }

    private static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };

    private static async Task<long> ReadNumberAsync(NpgsqlDataReader rows, CancellationToken ct)
    {
        if (!await rows.ReadAsync(ct)) throw new InvalidOperationException("The read schema has no state.");
        var number = rows.GetInt64(0);
        await rows.NextResultAsync(ct);
        return number;
    }

    // A row more than was asked for is the answer to "is there more?", without a count.
    private static async Task<Slice> CopyRowsAsync(
        NpgsqlDataReader rows, int take, int enough, byte separator, PooledBuffer into, CancellationToken ct)
    {
        var (count, lastId) = (0, 0);
        while (await rows.ReadAsync(ct))
        {
            if (count == take || into.Length >= enough) return new Slice(count, lastId, HasMore: true);
            lastId = rows.GetInt32(0);
            CopyBody(rows, 1, into);
            into.Append(separator);
            count++;
        }

        return new Slice(count, lastId, HasMore: false);
    }

    // A row is read whole before this (no sequential access), so copying waits for nothing.
    private static void CopyBody(NpgsqlDataReader rows, int column, PooledBuffer into)
    {
        var length = (int)rows.GetBytes(column, 0, null, 0, 0);
        var room = into.Room(length);
        rows.GetBytes(column, 0, room.Array!, room.Offset, length);
        into.Advance(length);
    }
}

/// <summary>What was appended: how many documents, the last one's id, and whether others follow it.</summary>
internal readonly record struct Slice(int Count, int LastId, bool HasMore);
