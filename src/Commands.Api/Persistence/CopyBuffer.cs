using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// Rows in PostgreSQL's binary COPY format, in memory. Npgsql's importer looks up a converter for every value, which
/// increased the CPU time of a process's first seed by half.
/// </summary>
internal sealed class CopyBuffer : IBufferWriter<byte>, IDisposable
{
    private static readonly DateTimeOffset epoch = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly Utf8JsonWriter json;
    private byte[] buffer = ArrayPool<byte>.Shared.Rent(1 << 16);
    private int length;
    private short columns;

    public CopyBuffer() => json = new Utf8JsonWriter(this, new JsonWriterOptions
    {
        // The settings of a writer override those of the contract: these are the settings of EventJson.Wire.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    });

    public ReadOnlyMemory<byte> Written => buffer.AsMemory(0, length);

    public void Begin(int columnCount)
    {
        (length, columns) = (0, (short)columnCount);
        this.Write("PGCOPY\n"u8);
        // The rest of the signature, no flags, no extension.
        this.Write<byte>([0xff, (byte)'\r', (byte)'\n', 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    public void End() => Int16(-1);

    public CopyBuffer Row() => Int16(columns);

    public CopyBuffer Integer(int? value) => value is { } number ? Int32(4).Int32(number) : Int32(-1);

    public CopyBuffer Bigint(long value)
    {
        Int32(8);
        BinaryPrimitives.WriteInt64BigEndian(GetSpan(8), value);
        length += 8;
        return this;
    }

    public CopyBuffer Boolean(bool value)
    {
        Int32(1);
        this.Write<byte>([value ? (byte)1 : (byte)0]);
        return this;
    }

    public CopyBuffer Timestamp(DateTimeOffset? value) =>
        value is { } time ? Bigint((time - epoch).Ticks / TimeSpan.TicksPerMicrosecond) : Int32(-1);

    public CopyBuffer Uuid(Guid value)
    {
        Int32(16);
        value.TryWriteBytes(GetSpan(16), bigEndian: true, out _);
        length += 16;
        return this;
    }

    public CopyBuffer Text(string? value)
    {
        var written = value is null ? -1 : Encoding.UTF8.GetBytes(value, GetSpan(4 + value.Length * 3)[4..]);
        Int32(written);
        length += Math.Max(written, 0);
        return this;
    }

    /// <summary>
    /// Digits of base 10,000: four for the whole part, as numeric(18,2) may need, and one for the cents.
    /// </summary>
    public CopyBuffer Money(decimal value)
    {
        var cents = decimal.ToInt64(value * 100);
        Int32(18).Int16(5).Int16(3).Int16(0).Int16(2);
        for (var unit = 100_000_000_000_000; unit >= 100; unit /= 10_000) Int16((short)(cents / unit % 10_000));
        return Int16((short)(cents % 100 * 100));
    }

    public CopyBuffer Json<T>(T value, JsonTypeInfo<T> type)
    {
        var start = length;
        Int32(0);
        json.Reset();
        JsonSerializer.Serialize(json, value, type);
        json.Flush();
        BinaryPrimitives.WriteInt32BigEndian(buffer.AsSpan(start), length - start - 4);
        return this;
    }

    public void Advance(int count) => length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 256));
        return buffer.AsMemory(length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Dispose()
    {
        json.Dispose();
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = [];
    }

    private CopyBuffer Int16(short value)
    {
        BinaryPrimitives.WriteInt16BigEndian(GetSpan(2), value);
        length += 2;
        return this;
    }

    private CopyBuffer Int32(int value)
    {
        BinaryPrimitives.WriteInt32BigEndian(GetSpan(4), value);
        length += 4;
        return this;
    }

    private void Reserve(int count)
    {
        if (buffer.Length - length >= count) return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(buffer.Length * 2, length + count));
        Written.CopyTo(larger);
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = larger;
    }
}
