using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Runs an audit at an interval, which repairs nothing: one of all Projectors does. If that one ends before its audit,
/// the next one continues it.
/// </summary>
internal sealed class AuditSchedule(
    Auditor auditor,
    AuditRecord record,
    IOptions<AuditingOptions> options,
    TimeProvider clock,
    ILogger<AuditSchedule> logger) : BackgroundService
{
    private static readonly TimeSpan poll = TimeSpan.FromMinutes(1);

    /// <summary>Runs the audit that is due; false when none is, or another audit runs.</summary>
    public async Task<bool> RunDueAsync(CancellationToken ct)
    {
        if (await record.DueAsync(options.Value.Interval, ct) is not { } due) return false;
        if (await auditor.BeginAsync(new(Repair: false, due.From), ct) is not { } lines) return false;
        var (found, before) = (due.Found, 0L);
        await foreach (var line in lines.WithCancellation(ct))
        {
            if (line is AuditProgress progress)
            {
                found[progress.Resource] =
                    found.GetValueOrDefault(progress.Resource) + progress.Differences - before;
                before = progress.Differences;
                await record.SaveAsync(progress.Next, found, ct);
            }
            else if (line is AuditSummary)
            {
                await record.EndAsync(found, ct);
            }
        }

        return true;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (options.Value.Interval <= TimeSpan.Zero) return;
        using var timer = new PeriodicTimer(
            options.Value.Interval < poll ? options.Value.Interval : poll, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await RunDueAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.NotAudited(exception.Message);
            }
        }
    }
}
