using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Reads a list from a body item by item and buffers only the current item. An item that does not fit its type has an
/// error, and the next one can be read; a body that is not a list ends the reading with a problem.
/// </summary>
internal sealed class ItemReader<T>(
    PipeReader body, IItemSplitter splitter, JsonReaderOptions json, JsonTypeInfo<T> type, LimitOptions limits)
{
    private bool ended;

    /// <summary>The index of the current item.</summary>
    public int Index { get; private set; } = -1;

    public T? Item { get; private set; }

    /// <summary>Path and text of the error, if the current item could not be read.</summary>
    public KeyValuePair<string, string>? Error { get; private set; }

    /// <summary>Why the rest of the list cannot be read.</summary>
    public Problem? Problem { get; private set; }

    /// <summary>Reads the next item; false at the end of the list and after a <see cref="Problem"/>.</summary>
    public async ValueTask<bool> NextAsync(CancellationToken ct)
    {
        while (!ended)
        {
            if (await ReadAsync(ct) is not { } read)
            {
                Problem = BulkProblems.TooSlow(limits.SilenceSeconds);
                ended = true;
                break;
            }

            var rest = read.Buffer;
            var split = TrySplit(ref rest, read.IsCompleted);
            var consumed = split == SplitResult.End ? rest.End : rest.Start;
            body.AdvanceTo(consumed, split == SplitResult.Item ? rest.Start : rest.End);
            if (split == SplitResult.NotAList) Problem = BulkProblems.NotAList;
            ended = split == SplitResult.End || Problem is not null;
            if (split == SplitResult.Item) return true;
        }

        return false;
    }

    // Null when no byte arrives for too long. The token is not passed to ReadAsync: a cancelled read would prevent the
    // server from skipping the rest of the body.
    private async ValueTask<ReadResult?> ReadAsync(CancellationToken ct)
    {
        var reading = body.ReadAsync(CancellationToken.None);
        if (reading.IsCompleted) return await reading;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct);
        end.CancelAfter(TimeSpan.FromSeconds(limits.SilenceSeconds));
        await using var registration = end.Token.UnsafeRegister(pipe => ((PipeReader)pipe!).CancelPendingRead(), body);
        var read = await reading;
        // A byte that arrived just before the end of its time leaves the cancellation to the next read.
        if (!read.IsCanceled || !end.IsCancellationRequested) return read;
        body.AdvanceTo(read.Buffer.Start);
        ct.ThrowIfCancellationRequested();
        return null;
    }

    private SplitResult TrySplit(ref ReadOnlySequence<byte> rest, bool isAll)
    {
        try
        {
            var split = splitter.Next(ref rest, isAll, out var item);
            // An incomplete item is bounded too: its bytes are buffered.
            if (splitter.Size > limits.BulkItemBytes)
                Problem = BulkProblems.ItemTooLarge(Index + 1, limits.BulkItemBytes);
            else if (split == SplitResult.Item) Convert(item);
            return split == SplitResult.Item && Problem is not null ? SplitResult.End : split;
        }
        catch (JsonException malformed)
        {
            Problem = BulkProblems.Malformed(malformed, splitter.LinesBefore);
            return SplitResult.End;
        }
    }

    private void Convert(ReadOnlySequence<byte> text)
    {
        Index++;
        (Item, Error) = (default, null);
        try
        {
            var reader = new Utf8JsonReader(text, json);
            Item = JsonSerializer.Deserialize(ref reader, type);
            if (Item is null) Error = new(JsonPath.OfItem(Index), "Must not be null.");
        }
        catch (JsonException mismatch)
        {
            var path = JsonPath.OfItem(Index) + mismatch.Path?.TrimStart('$');
            Error = new(path, "Unknown, written twice, or of the wrong type.");
        }
    }
}
