using System.Data.Common;

namespace ApexShop.Events.Client;

/// <summary>The consumer refuses an event.</summary>
internal sealed class RefusedEventException(Exception reason) : Exception(reason.Message, reason);

/// <summary>Another instance of this consumer has saved another position.</summary>
internal sealed class PositionMovedException(string resource)
    : Exception($"Another instance of this consumer has applied events of {resource}.");

/// <summary>
/// Applies events and saves the position after them in one transaction. An event that is refused often enough is
/// parked, and so is every later one of its aggregate, until they are applied from there.
/// </summary>
internal sealed class EventApplier(EventConsumerOptions options, IConsumerStore store)
{
    private const string Erased = "apexshop.user.erased";

    /// <summary>
    /// Applies events of a resource that follow the position <paramref name="from"/>, and returns the position
    /// <paramref name="to"/>, which is that of the last one.
    /// </summary>
    /// <exception cref="PositionMovedException">The position is another one by now.</exception>
    public async Task<LogPosition> ApplyAsync(
        string resource, LogPosition? from, LogPosition to, IReadOnlyList<ShopEvent> events, CancellationToken ct)
    {
        if (events.Count != 1)
        {
            try
            {
                await SaveAsync(resource, from, to, transaction => ApplyAsync(transaction, events, ct), ct);
                return to;
            }
            catch (RefusedEventException)
            {
                // Nothing was saved. One by one, each event is tried by itself, which finds the one that is refused.
            }
        }

        foreach (var change in events)
        {
            var place = change.LogPosition with { IsFirstRead = to.IsFirstRead };
            await ApplyOrParkAsync(resource, from, place, change, ct);
            from = place;
        }

        return to;
    }

    private async Task ApplyOrParkAsync(
        string resource, LogPosition? from, LogPosition to, ShopEvent change, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await SaveAsync(resource, from, to, transaction => ApplyAsync(transaction, [change], ct), ct);
                return;
            }
            catch (RefusedEventException refused)
            {
                options.Report($"{change} was refused, {attempt} of {options.Attempts} times: {refused.Message}");
                if (attempt >= options.Attempts)
                {
                    await SaveAsync(
                        resource,
                        from,
                        to,
                        transaction => ParkAsync(transaction, new(change, refused.Message), ct),
                        ct);
                    return;
                }
            }

            await Task.Delay(options.Pause, ct);
        }
    }

    private static async Task ApplyAsync(
        IConsumerTransaction transaction, IReadOnlyList<ShopEvent> events, CancellationToken ct)
    {
        var parked = new HashSet<string>(transaction.ParkedSubjects);
        foreach (var change in events)
        {
            // An erasure has the whole state, so it does not wait for the earlier events. These have the data of the
            // erased person, and no event would remove what was applied before them.
            if (change.Type == Erased && parked.Remove(change.Subject))
                await transaction.UnparkAllAsync(change.Subject, ct);
            if (parked.Contains(change.Subject))
            {
                await transaction.ParkAsync(new ParkedEvent(change, "An earlier event is parked."), ct);
                continue;
            }

            try
            {
                await transaction.ApplyAsync(change, ct);
            }
            catch (Exception reason) when (!(ct.IsCancellationRequested || IsTransient(reason)))
            {
                throw new RefusedEventException(reason);
            }
        }
    }

    // A mapper such as Entity Framework has the database's exception inside its own.
    private static bool IsTransient(Exception? reason) =>
        reason is DbException { IsTransient: true } || (reason is not null && IsTransient(reason.InnerException));

    private static async Task ParkAsync(IConsumerTransaction transaction, ParkedEvent parked, CancellationToken ct)
    {
        // The transaction in which the erasure was refused has unparked nothing.
        if (parked.Event.Type == Erased) await transaction.UnparkAllAsync(parked.Event.Subject, ct);
        await transaction.ParkAsync(parked, ct);
    }

    private async Task SaveAsync(
        string resource,
        LogPosition? from,
        LogPosition to,
        Func<IConsumerTransaction, Task> change,
        CancellationToken ct)
    {
        await using var transaction = await store.BeginAsync(ct);
        if (transaction.Positions.GetValueOrDefault(resource) != from)
            throw new PositionMovedException(resource);
        await change(transaction);
        transaction.Positions[resource] = to;
        try
        {
            await transaction.CommitAsync(ct);
        }
        catch (DbException reason) when (!IsTransient(reason) && !ct.IsCancellationRequested)
        {
            // A constraint that is checked at the end.
            throw new RefusedEventException(reason);
        }
    }
}
