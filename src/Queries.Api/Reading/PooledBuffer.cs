using System.Buffers;
using System.Text;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Bytes on their way from the database to a response. They are complete before the first of them is sent, so that
/// no client's speed ever holds a connection and a failure while reading can still be answered with a status.
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

    /// <summary>Where the next bytes go, for a source that only fills arrays.</summary>
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

    /// <summary>Text of this process's own making, never a document.</summary>
    public void Append(FormattableString text) => Encoding.UTF8.GetBytes(FormattableString.Invariant(text), this);

    /// <summary>Appends a column of bytes as it arrives, without a second copy of it in between.</summary>
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
