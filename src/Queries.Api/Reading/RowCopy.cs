using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Copies rows of id, body and, if there is a sort, its value: up to a number of them, and one more is only noticed.
/// </summary>
internal sealed class RowCopy(Sort? sort, int take)
{
    private const int UsualLength = 32 * 1024;
    private const byte Separator = (byte)',';

    public async Task<Slice> ForwardsAsync(NpgsqlDataReader rows, PooledBuffer into, CancellationToken ct)
    {
        var (count, first, last) = (0, default(Position), default(Position));
        while (await rows.ReadAsync(ct))
        {
            if (count == take) return new Slice(count, first, last, HasMore: true);
            last = PositionOf(rows);
            if (count++ == 0) first = last;
            CopyBody(rows, into);
            into.Append(Separator);
        }

        return new Slice(count, first, last, HasMore: false);
    }

    /// <summary>The rows come last first, as the index was walked; they are appended first first.</summary>
    public async Task<Slice> BackwardsAsync(NpgsqlDataReader rows, PooledBuffer into, CancellationToken ct)
    {
        using var reversed = new PooledBuffer(UsualLength);
        var ends = new List<int>(take + 1) { 0 };
        var (first, last, hasMore) = (default(Position), default(Position), false);
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
            into.Append(reversed.Written.Span[ends[i - 1]..ends[i]]);
            into.Append(Separator);
        }

        return new Slice(ends.Count - 1, first, last, hasMore);
    }

    // A row is read whole before this (no sequential access), so copying waits for nothing.
    public static void CopyBody(NpgsqlDataReader rows, PooledBuffer into, int column = 1)
    {
        var length = (int)rows.GetBytes(column, 0, null, 0, 0);
        var room = into.Room(length);
        rows.GetBytes(column, 0, room.Array!, room.Offset, length);
        into.Advance(length);
    }

    private Position PositionOf(NpgsqlDataReader rows) => new(sort?.Kind?.Read(rows, 2), rows.GetInt32(0));
}
