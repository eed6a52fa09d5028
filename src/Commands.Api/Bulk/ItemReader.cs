using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Reads a list from a body, item by item, and holds no more of it than the item it is at. An item that does not fit
/// its type is a fault of that item, and the next one can be read; text that is no list ends the reading with a refusal.
/// </summary>
internal sealed class ItemReader<T>(PipeReader body, IItemSplitter cutter, JsonReaderOptions json, JsonTypeInfo<T> type, int maxItemBytes)
{
    private bool ended;

    /// <summary>Place of the item in the list.</summary>
    public int Index { get; private set; } = -1;

    public T? Item { get; private set; }

    /// <summary>Why there is no item at this place: its path and what is wrong there.</summary>
    public KeyValuePair<string, string>? Fault { get; private set; }

    /// <summary>Why nothing more can be read.</summary>
    public Problem? Refusal { get; private set; }

    /// <summary>Goes to the next item; false at the end of the list and at a refusal.</summary>
    public async ValueTask<bool> NextAsync(CancellationToken ct)
    {
        while (!ended)
        {
            var read = await ReadAsync(ct);
            var rest = read.Buffer;
            var cut = TryCut(ref rest, read.IsCompleted);
            body.AdvanceTo(cut == SplitResult.End ? rest.End : rest.Start, cut == SplitResult.Item ? rest.Start : rest.End);
            if (cut == SplitResult.NoList) Refusal = Problem.Invalid("$", "Must be a list.");
            ended = cut == SplitResult.End || Refusal is not null;
            if (cut == SplitResult.Item) return true;
        }

        return false;
    }

    // A read that is given the token would be left half done by it, and the server could not skip the rest of the body.
    private async ValueTask<ReadResult> ReadAsync(CancellationToken ct)
    {
        var reading = body.ReadAsync(CancellationToken.None);
        if (reading.IsCompleted) return await reading;
        await using var registration = ct.UnsafeRegister(pipe => ((PipeReader)pipe!).CancelPendingRead(), body);
        var read = await reading;
        if (!read.IsCanceled) return read;
        body.AdvanceTo(read.Buffer.Start);
        throw new OperationCanceledException(ct);
    }

    private SplitResult TryCut(ref ReadOnlySequence<byte> rest, bool isAll)
    {
        try
        {
            var cut = cutter.Next(ref rest, isAll, out var item);
            // What is kept of an unfinished item is bounded too, whatever the size of the body may be.
            if (Math.Max(item.Length, cut == SplitResult.More ? rest.Length : 0) > maxItemBytes) Refusal = BulkProblems.ItemTooLarge(Index + 1, maxItemBytes);
            else if (cut == SplitResult.Item) Convert(item);
            return cut == SplitResult.Item && Refusal is not null ? SplitResult.End : cut;
        }
        catch (JsonException malformed)
        {
            Refusal = BulkProblems.Malformed(malformed, cutter.LinesBefore);
            return SplitResult.End;
        }
    }

    private void Convert(ReadOnlySequence<byte> text)
    {
        Index++;
        (Item, Fault) = (default, null);
        try
        {
            var reader = new Utf8JsonReader(text, json);
            Item = JsonSerializer.Deserialize(ref reader, type);
            if (Item is null) Fault = new(JsonPath.OfItem(Index), "Must not be null.");
        }
        catch (JsonException unfit)
        {
            Fault = new(JsonPath.OfItem(Index) + unfit.Path?.TrimStart('$'), "Unknown, written twice, or of the wrong type.");
        }
    }
}
