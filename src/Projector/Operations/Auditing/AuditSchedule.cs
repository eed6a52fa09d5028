using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Runs an audit at an interval, which repairs nothing.</summary>
internal sealed class AuditSchedule(
    Auditor auditor,
    IOptions<AuditingOptions> options,
    TimeProvider clock,
    ILogger<AuditSchedule> logger) : BackgroundService
{
    private static readonly AuditRequest whole = new(Repair: false, AuditPosition.First);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (options.Value.Interval <= TimeSpan.Zero) return;
        using var timer = new PeriodicTimer(options.Value.Interval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                // An audit of another Projector serves the same purpose.
                if (await auditor.BeginAsync(whole, stoppingToken) is not { } lines) continue;
                await foreach (var _ in lines.WithCancellation(stoppingToken))
                {
                }
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.NotAudited(exception.Message);
            }
        }
    }
}
