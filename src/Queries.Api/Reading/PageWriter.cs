using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Copies the bodies of rows into the JSON text of a page. A row has id, body and, if there is a sort, its value; one
/// row more than the page shows only that there are more.
/// </summary>
internal sealed class PageWriter(Sort? sort, int take)
{
    private const int UsualLength = 32 * 1024;
    private const byte Separator = (byte)',';

    public static PooledBuffer Open()
    {
        var page = new PooledBuffer(UsualLength);
        page.Append("{\"data\":["u8);
        return page;
    }

    public static void CloseArray(PooledBuffer page, DocumentRange range)
    {
        if (range.Count > 0) page.DropLast();
        page.Append((byte)']');
    }

    public static string Boolean(bool value) => value ? "true" : "false";

    public static string Token(string? token) => token is null ? "null" : $"\"{token}\"";

    public async Task<DocumentRange> ForwardsAsync(NpgsqlDataReader rows, PooledBuffer page, CancellationToken ct)
    {
        var (count, first, last) = (0, default(KeysetPosition), default(KeysetPosition));
        while (await rows.ReadAsync(ct))
        {
            if (count == take) return new DocumentRange(count, first, last, HasMore: true);
            last = PositionOf(rows);
            if (count++ == 0) first = last;
            CopyBody(rows, page);
            page.Append(Separator);
        }

        return new DocumentRange(count, first, last, HasMore: false);
    }

    /// <summary>The rows come in reverse, as the index was scanned; they are appended in the list's order.</summary>
    public async Task<DocumentRange> BackwardsAsync(NpgsqlDataReader rows, PooledBuffer page, CancellationToken ct)
    {
        using var reversed = new PooledBuffer(UsualLength);
        var ends = new List<int>(take + 1) { 0 };
        var (first, last, hasMore) = (default(KeysetPosition), default(KeysetPosition), false);
        while (await rows.ReadAsync(ct))
        {
            if (hasMore = ends.Count > take) break;
            first = PositionOf(rows);
            if (ends.Count == 1) last = first;
            CopyBody(rows, reversed);
            ends.Add(reversed.Length);
        }

        for (var i = ends.Count - 1; i > 0; i--)
        {
            page.Append(reversed.Written.Span[ends[i - 1]..ends[i]]);
            page.Append(Separator);
        }

        return new DocumentRange(ends.Count - 1, first, last, hasMore);
    }

    /// <summary>
    /// Appends the body. Without sequential access a row is complete in memory, so copying waits for nothing.
    /// </summary>
    public static void CopyBody(NpgsqlDataReader rows, PooledBuffer page)
    {
        var length = (int)rows.GetBytes(1, 0, null, 0, 0);
        var room = page.Room(length);
        rows.GetBytes(1, 0, room.Array!, room.Offset, length);
        page.Advance(length);
    }

    private KeysetPosition PositionOf(NpgsqlDataReader rows) => new(sort?.Kind?.Read(rows, 2), rows.GetInt32(0));
}
