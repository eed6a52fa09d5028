using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>
/// Converts stored JSON documents to MessagePack maps with the same keys, one after the other. A whole number becomes
/// the shortest integer. A number with a fraction becomes a float64 if that is exact to the cent (at most two decimals,
/// and the same decimal when converted back), otherwise a string of its digits. A member whose name ends in <c>Date</c>
/// and that contains a UTC time becomes a timestamp (extension -1). Null, booleans, strings, arrays and objects become
/// nil, bool, str, array and map.
/// </summary>
internal sealed class MessagePackTranscoder : IDocumentWriter
{
    // A larger double is not exact to the cent, and one of the largest would not fit into a decimal.
    private const decimal MaxExact = 1e15m;

    private static readonly JsonReaderOptions manyDocuments = new() { AllowMultipleValues = true };

    // How many entries each object and array has, in the order of their starts: MessagePack needs it in the header.
    private readonly List<int> counts = [];
    private readonly Stack<int> open = new();

    public byte Separator => (byte)'\n';

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output)
    {
        Count(documents);
        var json = new Utf8JsonReader(documents, manyDocuments);
        var (container, isDate) = (0, false);
        while (json.Read())
        {
            switch (json.TokenType)
            {
                case JsonTokenType.StartObject: MessagePackWriter.WriteMapHeader(output, counts[container++]); break;
                case JsonTokenType.StartArray: MessagePackWriter.WriteArrayHeader(output, counts[container++]); break;
                case JsonTokenType.String when isDate: WriteDate(ref json, output); break;
                case JsonTokenType.PropertyName or JsonTokenType.String: WriteText(ref json, output); break;
                case JsonTokenType.Number: WriteNumber(ref json, output); break;
                case JsonTokenType.True: MessagePackWriter.WriteBoolean(output, true); break;
                case JsonTokenType.False: MessagePackWriter.WriteBoolean(output, false); break;
                case JsonTokenType.Null: MessagePackWriter.WriteNil(output); break;
            }

            isDate = json.TokenType == JsonTokenType.PropertyName && json.ValueSpan.EndsWith("Date"u8);
        }
    }

    public void End(IBufferWriter<byte> output)
    {
    }

    private void Count(ReadOnlySpan<byte> documents)
    {
        counts.Clear();
        var json = new Utf8JsonReader(documents, manyDocuments);
        var isMember = false;
        while (json.Read())
        {
            if (json.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray)
            {
                open.Pop();
                continue;
            }

            // A member is counted by its name, an element by its value.
            if (!isMember && open.TryPeek(out var container)) CollectionsMarshal.AsSpan(counts)[container]++;
            isMember = json.TokenType == JsonTokenType.PropertyName;
            if (json.TokenType is not (JsonTokenType.StartObject or JsonTokenType.StartArray)) continue;
            open.Push(counts.Count);
            counts.Add(0);
        }
    }

    private static void WriteText(ref Utf8JsonReader json, IBufferWriter<byte> output)
    {
        if (!json.ValueIsEscaped)
        {
            MessagePackWriter.WriteString(output, json.ValueSpan);
            return;
        }

        var rented = ArrayPool<byte>.Shared.Rent(json.ValueSpan.Length);
        MessagePackWriter.WriteString(output, rented.AsSpan(0, json.CopyString(rented)));
        ArrayPool<byte>.Shared.Return(rented);
    }

    private static void WriteNumber(ref Utf8JsonReader json, IBufferWriter<byte> output)
    {
        if (json.TryGetInt64(out var signed)) MessagePackWriter.WriteInteger(output, signed);
        else if (json.TryGetUInt64(out var unsigned)) MessagePackWriter.WriteInteger(output, unsigned);
        else if (TryGetCents(ref json, out var fraction)) MessagePackWriter.WriteDouble(output, fraction);
        else MessagePackWriter.WriteString(output, json.ValueSpan);
    }

    private static bool TryGetCents(ref Utf8JsonReader json, out double value)
    {
        value = 0;
        if (!json.TryGetDecimal(out var exact) || decimal.Round(exact, 2) != exact) return false;
        value = (double)exact;
        return Math.Abs(exact) < MaxExact && (decimal)value == exact;
    }

    private static void WriteDate(ref Utf8JsonReader json, IBufferWriter<byte> output)
    {
        // Without the Z a time would be read in the server's time zone.
        if (!json.ValueSpan.EndsWith("Z"u8) || !json.TryGetDateTimeOffset(out var time))
        {
            WriteText(ref json, output);
            return;
        }

        var nanoseconds = time.Ticks % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick;
        MessagePackWriter.WriteTimestamp(output, time.ToUnixTimeSeconds(), (uint)nanoseconds);
    }
}
