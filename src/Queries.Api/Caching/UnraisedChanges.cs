namespace ApexShop.Queries.Api.Caching;

/// <summary>Since when the Projector has not raised the tags of a change, as the database shows it.</summary>
internal sealed class UnraisedChanges(IPendingState state, ReadEpoch epoch, TimeProvider clock)
{
    // The caller does not wait longer than this, so that its probes are sent in time.
    private static readonly TimeSpan wait = TimeSpan.FromMilliseconds(400);

    private Task? running;
    private long readAt;
    private DateTime? since;

    // Before the first read every change may be one.
    private long? oldest = 0;

    /// <summary>
    /// The tags of every change that was applied before this timestamp are raised. No change is applied to a database
    /// that is unavailable: meanwhile only what was not raised before counts.
    /// </summary>
    public async Task<long> RaisedUntilAsync(CancellationToken ct)
    {
        var isRead = false;
        try
        {
            running ??= ReadAsync();
            await running.WaitAsync(wait, clock, ct);
            isRead = true;
        }
        catch (Exception) when (!ct.IsCancellationRequested)
        {
            // The health check and the requests report a database that is unavailable.
        }

        if (running is { IsCompleted: true }) running = null;
        return oldest ?? (isRead ? readAt : clock.GetTimestamp());
    }

    private async Task ReadAsync()
    {
        var began = clock.GetTimestamp();
        var found = await state.ReadAsync();
        epoch.Observe(found.Epoch);
        var before = since;
        since = found.IsPending ? found.Since : null;
        readAt = began;
        if (!found.IsPending) oldest = null;
        else if (since is null) oldest = 0;
        // Otherwise a clock of the database that was set back would make the change younger.
        else if (since != before || oldest is null)
            oldest = began - (long)(Math.Max(0, found.Age) * clock.TimestampFrequency);
    }
}
