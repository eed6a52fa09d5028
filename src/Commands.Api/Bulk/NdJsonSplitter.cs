using System.Buffers;
using System.Text.Json;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>NDJSON: one item per line; blank lines are skipped.</summary>
internal sealed class NdJsonSplitter(JsonReaderOptions options) : IItemSplitter
{
    private long lines;

    public long LinesBefore => lines - 1;

    public long Size { get; private set; }

    public SplitResult Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item)
    {
        Size = 0;
        while (TryTakeLine(ref received, isAll, out var line))
        {
            lines++;
            Size = Math.Max(Size, line.Length);
            if (IsBlank(line)) continue;
            item = Item(line);
            return SplitResult.Item;
        }

        item = default;
        Size = Math.Max(Size, received.Length);
        return isAll ? SplitResult.End : SplitResult.Incomplete;
    }

    private static bool TryTakeLine(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> line)
    {
        var reader = new SequenceReader<byte>(received);
        if (reader.TryReadTo(out line, (byte)'\n'))
        {
            received = received.Slice(reader.Position);
            return true;
        }

        if (!isAll || received.IsEmpty) return false;
        (line, received) = (received, received.Slice(received.End));
        return true;
    }

    private static bool IsBlank(ReadOnlySequence<byte> line)
    {
        var reader = new SequenceReader<byte>(line);
        reader.AdvancePastAny((byte)' ', (byte)'\t', (byte)'\r');
        return reader.End;
    }

    private ReadOnlySequence<byte> Item(ReadOnlySequence<byte> line)
    {
        var reader = new Utf8JsonReader(line, options);
        reader.Read();
        var start = reader.TokenStartIndex;
        reader.Skip();
        var item = line.Slice(start, reader.BytesConsumed - start);
        // Throws if anything but white space follows the item.
        reader.Read();
        return item;
    }
}
