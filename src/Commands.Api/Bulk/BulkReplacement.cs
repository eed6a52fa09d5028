using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Replaces the aggregates of a list in the caller's transaction: one statement locks their rows, another one writes
/// those that have other values, with their events.
/// </summary>
internal sealed class BulkReplacement(ShopDbContext db, EventOutbox outbox)
{
    /// <summary>Locks the rows, compares ids and versions with the items, and returns the aggregates by id.</summary>
    /// <param name="items">The items of the request, or of a chunk of it.</param>
    /// <param name="ct">Cancels the query.</param>
    /// <param name="first">Index of the first item in the list of the request.</param>
    public async Task<Result<Dictionary<int, TAggregate>>> LockAsync<TAggregate, TItem>(
        IReadOnlyList<TItem> items, CancellationToken ct, int first = 0)
        where TAggregate : class, IAggregate
        where TItem : IReplacementItem
    {
        var current = await db.LockForChangeAsync<TAggregate>(items.Ids(), ct);
        var (unknown, what) = (new ItemErrors(first), TAggregate.Resource.Singular);
        unknown.AddUnknown(items, "id", what, item => item.Id!.Value, current.ContainsKey);
        if (unknown.Any)
        {
            return unknown.ToProblem(
                StatusCodes.Status404NotFound, $"{what}.not_found", $"There is no {what} for some of the ids.");
        }

        return Mismatch(items, current, first) is { } problem ? problem : current;
    }

    /// <param name="items">The items that were locked.</param>
    /// <param name="current">The locked aggregates.</param>
    /// <param name="replace">Replaces an aggregate by an item; null if it has changed nothing.</param>
    /// <param name="update">The statement that writes the changed aggregates; the version increases by one.</param>
    /// <param name="ct">Cancels the statement.</param>
    public async Task<BulkReplaced> WriteAsync<TAggregate, TItem>(
        IReadOnlyList<TItem> items,
        Dictionary<int, TAggregate> current,
        Func<TAggregate, TItem, DomainEvent?> replace,
        Func<IReadOnlyList<TAggregate>, FormattableString> update,
        CancellationToken ct)
        where TAggregate : IAggregate
        where TItem : IReplacementItem
    {
        var changed = new List<TAggregate>();
        foreach (var item in items)
        {
            if (replace(current[item.Id!.Value], item) is not null) changed.Add(current[item.Id.Value]);
        }

        var resource = TAggregate.Resource.Name;
        if (changed.Count > 0) await outbox.ChangeAsync(resource, update(changed), ct);
        else await outbox.RecordLastChangeAsync(resource, [.. current.Keys], ct);
        // Also without a change: the commit must wait for a replica, because the rows are locked.
        db.HasWritten = true;
        return new BulkReplaced(
            items.Count, [.. items.Select(item => new Saved(item.Id!.Value, current[item.Id.Value].Version))]);
    }

    private static Problem? Mismatch<TAggregate, TItem>(
        IReadOnlyList<TItem> items, Dictionary<int, TAggregate> rows, int first)
        where TAggregate : IAggregate
        where TItem : IReplacementItem
    {
        var (errors, current) = (new ItemErrors(first), new List<Saved>());
        for (var i = 0; i < items.Count; i++)
        {
            var (id, version) = (items[i].Id!.Value, rows[items[i].Id!.Value].Version);
            if (items[i].Version is not { } expected || expected == version) continue;
            if (!errors.Full) current.Add(new Saved(id, version));
            errors.Add(i, "version", $"The current version is {version}.");
        }

        if (!errors.Any) return null;
        var problem = errors.ToProblem(
            StatusCodes.Status412PreconditionFailed, "version.mismatch", "Some versions are not the current ones.");
        problem.Extensions["current"] = current;
        return problem;
    }
}
