using System.Buffers;
using System.Text.Json;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The items of one JSON array.</summary>
internal sealed class JsonArraySplitter(JsonReaderOptions options) : IItemSplitter
{
    private JsonReaderState state = new(options);

    // The reader's state counts the lines of the whole body.
    public long LinesBefore => 0;

    public SplitResult Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item)
    {
        item = default;
        var reader = new Utf8JsonReader(received, isAll, state);
        var (taken, after) = (0L, state);
        var cut = SplitResult.More;
        while (cut == SplitResult.More && reader.Read())
        {
            if (reader.CurrentDepth > 0)
            {
                var start = reader.TokenStartIndex;
                if (!reader.TrySkip()) break;
                item = received.Slice(start, reader.BytesConsumed - start);
                cut = SplitResult.Item;
            }
            else if (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.EndArray)) return SplitResult.NoList;

            (taken, after) = (reader.BytesConsumed, reader.CurrentState);
        }

        if (cut == SplitResult.More && isAll) return SplitResult.End;
        received = received.Slice(taken);
        state = after;
        return cut;
    }
}
