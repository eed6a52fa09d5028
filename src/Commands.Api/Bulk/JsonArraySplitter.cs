using System.Buffers;
using System.Text.Json;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The items of one JSON array.</summary>
internal sealed class JsonArraySplitter(JsonReaderOptions options) : IItemSplitter
{
    private JsonReaderState state = new(options);

    // The reader's state counts the lines of the whole body.
    public long LinesBefore => 0;

    public long Size { get; private set; }

    public SplitResult Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item)
    {
        (item, Size) = (default, 0);
        var reader = new Utf8JsonReader(received, isAll, state);
        var (taken, after) = (0L, state);
        var split = SplitResult.Incomplete;
        while (split == SplitResult.Incomplete && reader.Read())
        {
            if (reader.CurrentDepth > 0)
            {
                var start = reader.TokenStartIndex;
                if (!reader.TrySkip()) break;
                item = received.Slice(start, reader.BytesConsumed - start);
                split = SplitResult.Item;
            }
            else if (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.EndArray))
            {
                return SplitResult.NotAList;
            }

            Size = Math.Max(Size, reader.BytesConsumed - taken);
            (taken, after) = (reader.BytesConsumed, reader.CurrentState);
        }

        if (split == SplitResult.Incomplete) Size = Math.Max(Size, received.Length - taken);
        if (split == SplitResult.Incomplete && isAll) return SplitResult.End;
        received = received.Slice(taken);
        state = after;
        return split;
    }
}
