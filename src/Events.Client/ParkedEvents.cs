namespace ApexShop.Events.Client;

/// <summary>The parked events of a consumer; may be used in another process while the consumer runs.</summary>
public sealed class ParkedEvents(IConsumerStore store)
{
    /// <summary>All parked events, by position.</summary>
    public async Task<IReadOnlyList<ParkedEvent>> ListAsync(CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        return await transaction.ReadParkedAsync(ct);
    }

    /// <summary>
    /// Applies the parked events of an aggregate (<c>products/17</c>) in order, in one transaction, and returns their
    /// number. If one is refused again, its exception is thrown, and all stay parked.
    /// </summary>
    public async Task<int> RetryAsync(string subject, CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        var waiting = await WaitingAsync(transaction, subject, ct);
        foreach (var change in waiting)
        {
            await transaction.ApplyAsync(change, ct);
            await transaction.UnparkAsync(change, ct);
        }

        await transaction.CommitAsync(ct);
        return waiting.Length;
    }

    /// <summary>
    /// Removes the parked events of an aggregate without applying them, and returns their number. The next event of the
    /// aggregate, which has its whole state, is applied again.
    /// </summary>
    public async Task<int> DiscardAsync(string subject, CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        var count = await RemoveAsync(transaction, subject, ct);
        await transaction.CommitAsync(ct);
        return count;
    }

    /// <summary>The same in a transaction of the caller.</summary>
    internal static async Task<int> RemoveAsync(
        IConsumerTransaction transaction, string subject, CancellationToken ct)
    {
        var waiting = await WaitingAsync(transaction, subject, ct);
        foreach (var change in waiting) await transaction.UnparkAsync(change, ct);
        return waiting.Length;
    }

    private static async Task<ShopEvent[]> WaitingAsync(
        IConsumerTransaction transaction, string subject, CancellationToken ct)
    {
        var all = await transaction.ReadParkedAsync(ct);
        return [.. all.Select(parked => parked.Event).Where(change => change.Subject == subject)];
    }
}
