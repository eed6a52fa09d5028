using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Runs an audit at an interval, which repairs nothing: one of all Projectors runs it. If that one ends before its
/// audit, the next one continues it.
/// </summary>
internal sealed class AuditSchedule(
    Auditor auditor,
    IOptions<AuditingOptions> options,
    TimeProvider clock,
    ILogger<AuditSchedule> logger) : BackgroundService
{
    private static readonly TimeSpan poll = TimeSpan.FromMinutes(1);

    /// <summary>Runs the audit that is due; false when none is, or another audit runs.</summary>
    public async Task<bool> RunDueAsync(CancellationToken ct)
    {
        if (await auditor.BeginDueAsync(ct) is not { } lines) return false;
        await foreach (var _ in lines.WithCancellation(ct))
        {
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
