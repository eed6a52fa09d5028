namespace ApexShop.Events.Client;

/// <summary>The parked events of a consumer; may be used in another process while the consumer runs.</summary>
public sealed class ParkedEvents(IConsumerStore store)
{
    /// <summary>All parked events, by position.</summary>
    public async Task<IReadOnlyList<ParkedEvent>> ListAsync(CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        return await transaction.ReadParkedAsync(subject: null, ct);
    }

    /// <summary>
    /// Applies the parked events of an aggregate (<c>products/17</c>) in order, in one transaction, and returns their
    /// number. If one is refused again, its exception is thrown, and all stay parked.
    /// </summary>
    public async Task<int> RetryAsync(string subject, CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        var waiting = await transaction.ReadParkedAsync(subject, ct);
        foreach (var parked in waiting)
        {
            await transaction.ApplyAsync(parked.Event, ct);
            await transaction.UnparkAsync(parked.Event, ct);
        }

        await transaction.CommitAsync(ct);
        return waiting.Count;
    }

    /// <summary>
    /// Removes the parked events of an aggregate without applying them, and returns their number. The next event of the
    /// aggregate, which has its whole state, is applied again.
    /// </summary>
    public async Task<int> DiscardAsync(string subject, CancellationToken ct = default)
    {
        await using var transaction = await store.BeginAsync(ct);
        var count = await transaction.UnparkAllAsync(subject, ct);
        await transaction.CommitAsync(ct);
        return count;
    }
}
