using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The epoch of the read schema as the last read showed it. A new epoch empties the memory cache; a switch of tables
/// also raises the tag of everything, for processes that have not read since.
/// </summary>
internal sealed class ReadEpoch(ReadDatabase database, TagFence fence)
{
    private long current;

    public void Observe(long epoch)
    {
        if (Volatile.Read(ref current) == epoch) return;
        if (Interlocked.Exchange(ref current, epoch) != 0) fence.InvalidateAll();
    }

    public async ValueTask<long> CurrentAsync(CancellationToken ct)
    {
        if (Volatile.Read(ref current) is var known and not 0) return known;
        using var delayed = new DelayedCancellation(DelayedCancellation.UsualDelay, ct);
        await using var command = database.Pages.CreateCommand($"SELECT epoch FROM {ReadTables.Epoch}");
        var epoch = (long)(await command.ExecuteScalarAsync(delayed.Token))!;
        Observe(epoch);
        return epoch;
    }
}
