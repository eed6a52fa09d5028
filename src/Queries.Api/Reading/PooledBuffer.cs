using System.Buffers;
using System.Text;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// A growing buffer from the array pool, between the database and the response. It is complete before its first byte is
/// sent, so no slow client occupies a connection, and a failure while reading can still become an error response.
/// </summary>
internal sealed class PooledBuffer(int size) : IBufferWriter<byte>, IDisposable
{
    private byte[] bytes = ArrayPool<byte>.Shared.Rent(size);

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Written => bytes.AsMemory(0, Length);

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return bytes.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return bytes.AsSpan(Length);
    }

    /// <summary>The next bytes as an array, for sources that need one.</summary>
    public ArraySegment<byte> Room(int length)
    {
        Reserve(length);
        return new ArraySegment<byte>(bytes, Length, length);
    }

    public void Advance(int count) => Length += count;

    public void Append(byte value)
    {
        GetSpan(1)[0] = value;
        Length++;
    }

    public void Append(ReadOnlySpan<byte> values)
    {
        values.CopyTo(GetSpan(values.Length));
        Length += values.Length;
    }

    /// <summary>For the envelope only: documents are already bytes.</summary>
    public void Append(FormattableString text) => Encoding.UTF8.GetBytes(FormattableString.Invariant(text), this);

    /// <summary>Appends a column of bytes as it arrives, without another buffer in between.</summary>
    public async Task FillAsync(NpgsqlDataReader row, int column, CancellationToken ct)
    {
        await using var bytes = await row.GetStreamAsync(column, ct);
        Reserve((int)bytes.Length + 1);
        while (await bytes.ReadAsync(GetMemory(1), ct) is var read and > 0) Advance(read);
    }

    public void DropLast() => Length--;

    public void Clear() => Length = 0;

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(bytes);
        bytes = [];
    }

    private void Reserve(int count)
    {
        if (bytes.Length - Length >= Math.Max(count, 1)) return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(bytes.Length * 2, Length + count));
        bytes.AsSpan(0, Length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(bytes);
        bytes = larger;
    }
}
