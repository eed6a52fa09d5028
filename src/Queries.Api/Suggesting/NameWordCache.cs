using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Suggesting;

/// <summary>
/// The words of all product names, in memory. Only those that changed are read again, and only when a caller needs
/// words that are newer than <see cref="LongestAge"/>.
/// </summary>
internal sealed class NameWordCache(ReadDatabase database, TimeProvider clock)
{
    private static readonly TimeSpan LongestAge = TimeSpan.FromSeconds(1);

    // Transactions that were running when the words were read may still change words: they are read again. What they
    // change later than that has a later number.
    private const string StateSql =
        $"SELECT epoch, pg_snapshot_xmin(pg_current_snapshot())::text FROM {ReadTables.Epoch}";

    internal const string ChangedSql =
        $"SELECT word, products FROM {ReadTables.NameWordCounts} WHERE changed >= $1::xid8";

    private readonly QueuedFlight<WordList> reads = new();
    private volatile Loaded last = new(WordList.Empty, 0, "0", null);

    /// <summary>The words; a <paramref name="isFresh"/> caller gets those of a read that began after it came.</summary>
    public ValueTask<WordList> GetAsync(bool isFresh, CancellationToken ct) =>
        !isFresh && last is { At: { } at } && clock.GetElapsedTime(at) < LongestAge
            ? new(last.Words)
            : new(reads.RunAsync("words", ReadAsync, ct));

    private async Task<WordList> ReadAsync(CancellationToken ct)
    {
        var (began, before) = (clock.GetTimestamp(), last);
        var (epoch, next, changed) = await ReadAsync(before.Next, ct);
        // After a rebuild or a restore the words are others, whatever has changed since.
        var isOther = epoch != before.Epoch;
        if (isOther && before.Next != "0") (epoch, next, changed) = await ReadAsync("0", ct);
        last = new((isOther ? WordList.Empty : before.Words).With(changed), epoch, next, began);
        return last.Words;
    }

    private async Task<(long Epoch, string Next, List<WordCount> Changed)> ReadAsync(string since, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = database.Pages.CreateBatch();
        batch.BatchCommands.Add(new(StateSql));
        var read = new NpgsqlBatchCommand(ChangedSql);
        read.Parameters.Add(new NpgsqlParameter<string> { TypedValue = since });
        batch.BatchCommands.Add(read);
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        await rows.ReadAsync(delayed.Token);
        var (epoch, next) = (rows.GetInt64(0), rows.GetString(1));
        await rows.NextResultAsync(delayed.Token);
        var changed = new List<WordCount>();
        while (await rows.ReadAsync(delayed.Token)) changed.Add(new(rows.GetString(0), rows.GetInt32(1)));
        return (epoch, next, changed);
    }

    /// <param name="Words">What was read.</param>
    /// <param name="Epoch">The epoch of the read schema before the words were read.</param>
    /// <param name="Next">The transaction from which on changes are read the next time.</param>
    /// <param name="At">When the read began; null before the first one.</param>
    private sealed record Loaded(WordList Words, long Epoch, string Next, long? At);
}
