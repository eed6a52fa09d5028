using System.Buffers;
using System.Text.Json;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The items of one JSON array.</summary>
internal sealed class JsonArrayCutter(JsonReaderOptions options) : IItemCutter
{
    private JsonReaderState state = new(options);

    // The reader's state counts the lines of the whole body.
    public long LinesBefore => 0;

    public Cut Next(ref ReadOnlySequence<byte> received, bool isAll, out ReadOnlySequence<byte> item)
    {
        item = default;
        var reader = new Utf8JsonReader(received, isAll, state);
        var (taken, after) = (0L, state);
        var cut = Cut.More;
        while (cut == Cut.More && reader.Read())
        {
            if (reader.CurrentDepth > 0)
            {
                var start = reader.TokenStartIndex;
                if (!reader.TrySkip()) break;
                item = received.Slice(start, reader.BytesConsumed - start);
                cut = Cut.Item;
            }
            else if (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.EndArray)) return Cut.NoList;

            (taken, after) = (reader.BytesConsumed, reader.CurrentState);
        }

        if (cut == Cut.More && isAll) return Cut.End;
        received = received.Slice(taken);
        state = after;
        return cut;
    }
}
