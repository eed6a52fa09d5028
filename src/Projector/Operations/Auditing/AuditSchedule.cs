using ApexShop.Projector.Intake;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Audits from time to time without being asked, and repairs nothing.</summary>
internal sealed class AuditSchedule(
    Auditor auditor, IOptions<AuditingOptions> options, TimeProvider clock, ILogger<AuditSchedule> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (options.Value.Interval <= TimeSpan.Zero) return;
        using var timer = new PeriodicTimer(options.Value.Interval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                // Another Projector that audits at this moment does it for all.
                if (await auditor.BeginAsync(repair: false, stoppingToken) is not { } lines) continue;
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
