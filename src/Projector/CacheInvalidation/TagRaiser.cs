using ApexShop.Projector.Telemetry;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// Raises the tags of committed changes. They are stored in the database until they are raised, so that neither a crash
/// after the commit nor an unavailable Redis loses one; the loop raises those that are left, and stores which are
/// raised.
/// </summary>
internal sealed class TagRaiser(
    IRaisedTags record, TagGenerations generations, TimeProvider clock, ILogger<TagRaiser> logger)
    : BackgroundService
{
    // Readers wait two seconds for a raise, and this is a part of it.
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(250);

    private readonly WaitingChanges waiting = new();

    /// <summary>The stored tags that this process has not raised.</summary>
    public PendingTags Unraised(PendingTags stored) => stored.After(waiting.Raised);

    /// <summary>
    /// Raises the stored tags; when Redis is unavailable they are raised later. Then <paramref name="raised"/> is
    /// called.
    /// </summary>
    public Task RaiseAsync(PendingTags stored, CancellationToken ct, Action? raised = null)
    {
        var number = waiting.Next();
        if (raised is not null) waiting.Add(number, raised);
        return RaiseAsync(number, stored, ct);
    }

    /// <summary>Raises the stored tags and clears them, unless a batch stored more meanwhile.</summary>
    public async Task RaiseStoredAsync(CancellationToken ct)
    {
        var number = waiting.Next();
        if (await record.PendingAsync(ct) is { } stored)
        {
            await RaiseAsync(number, stored, ct);
            if (Unraised(stored).Tags.Count == 0) await record.ClearAsync(stored, ct);
            return;
        }

        // None is pending, or another Projector has raised them: an attempt shows whether this one could raise some.
        if (generations.IsUnavailable) await generations.RaiseAsync([], ct);
        waiting.Release(number);
    }

    private async Task RaiseAsync(long number, PendingTags stored, CancellationToken ct)
    {
        if (Unraised(stored).Tags.Count > 0)
        {
            using var span = ProjectorMeter.Activities.StartActivity("raise tags")?.SetTag(
                "apexshop.tags", stored.Tags.Count);
            if (!await generations.RaiseAsync(stored.Tags, ct)) return;
        }

        waiting.Release(number, stored);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // Else a first attempt that takes long would be reported as an outage.
        await generations.ConnectAsync(stoppingToken);
        using var timer = new PeriodicTimer(interval, clock);
        var isFailing = false;
        do
        {
            try
            {
                await RaiseStoredAsync(stoppingToken);
                isFailing = false;
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                // Four a second would displace the other lines.
                if (!isFailing) logger.TagsNotRead(exception.Message);
                isFailing = true;
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }
}
