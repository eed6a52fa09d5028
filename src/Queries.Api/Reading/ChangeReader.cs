using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads the last writes of one resource's documents in their order. A document and its place are of one statement, so
/// of one snapshot, and a place that is not read yet is always behind those that were: see ProjectionState of the
/// Projector. A replica commits in the same order.
/// </summary>
internal sealed class ChangeReader(ReadModel resource, ReadDatabase database, Cursors cursors)
{
    private const string Upsert = "upsert";
    private const string Deleted = "deleted";

    /// <summary>$1 and $2 are the place to start after, $3 the limit. No body: the document is gone.</summary>
    internal string ReadSql { get; } = $"""
        SELECT c.id, CASE WHEN NOT t.is_deleted THEN {PendingNames.Body(resource.Name, "t.")} END, c.revision
        FROM (SELECT id, revision FROM {ReadTables.Changes}
            WHERE kind = '{resource.Name}' AND (revision, id) > ($1, $2) ORDER BY revision, id LIMIT $3) AS c
        LEFT JOIN {resource.Table} AS t ON t.id = c.id
        ORDER BY c.revision, c.id
        """;

    /// <summary>Without a body when the place is of another epoch.</summary>
    public async Task<PageResult> ReadAsync(Cursor? after, int take, PageLinks links, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = database.Pages.CreateBatch();
        // Before the documents: a place in tables that were exchanged in between gets an epoch that is not valid.
        batch.BatchCommands.Add(ListCommands.EpochCommand());
        batch.BatchCommands.Add(Command(after?.At, take + 1));
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        var epoch = await ListCommands.EpochAsync(rows, delayed.Token);
        if (after is { } given && given.Epoch != epoch) return new(epoch);

        await rows.NextResultAsync(delayed.Token);
        using var page = PageWriter.Open();
        var range = await WriteAsync(rows, page, take, after?.At ?? new KeysetPosition(0L, 0), delayed.Token);
        PageWriter.CloseArray(page, range);
        var next = cursors.WriteChange(resource, new Cursor(epoch, range.Last));
        page.Append($",\"hasMore\":{PageWriter.Boolean(range.HasMore)},\"nextCursor\":{PageWriter.Token(next)}}}");
        return new(epoch, page.Written.ToArray(), links.Header("after", range.HasMore ? next : null, "after", null));
    }

    private NpgsqlBatchCommand Command(KeysetPosition? after, int take)
    {
        var command = new NpgsqlBatchCommand(ReadSql);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = after is { } at ? (long)at.Value! : 0 });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = after?.Id ?? 0 });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take });
        return command;
    }

    // One row more than the page shows only that there are more.
    private static async Task<DocumentRange> WriteAsync(
        NpgsqlDataReader rows, PooledBuffer page, int take, KeysetPosition last, CancellationToken ct)
    {
        var count = 0;
        while (await rows.ReadAsync(ct))
        {
            if (count == take) return new DocumentRange(count, default, last, HasMore: true);
            count++;
            last = new KeysetPosition(rows.GetInt64(2), rows.GetInt32(0));
            var isDeleted = rows.IsDBNull(1);
            page.Append($"{{\"id\":{last.Id},\"change\":\"{(isDeleted ? Deleted : Upsert)}\"");
            if (!isDeleted)
            {
                page.Append(",\"document\":"u8);
                PageWriter.CopyBody(rows, page);
            }

            page.Append("},"u8);
        }

        return new DocumentRange(count, default, last, HasMore: false);
    }
}
