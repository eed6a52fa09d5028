using ApexShop.Errors;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// Delivers webhooks in every process, each webhook in one of them at a time. Before the process stops, the attempts
/// that have begun end and are stored.
/// </summary>
internal sealed class WebhookDispatcher(
    WebhookClaims claims,
    WebhookRun run,
    TimeProvider clock,
    IOptions<WebhookOptions> options,
    ILogger<WebhookDispatcher> logger)
    : BackgroundService
{
    private static readonly TimeSpan retry = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim slots = new(options.Value.Concurrency);
    private bool isUnavailable;

    public override void Dispose()
    {
        slots.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (options.Value is not { IsOn: true, Delivers: true }) return;
        while (!stoppingToken.IsCancellationRequested)
        {
            await slots.WaitAsync(CancellationToken.None);
            var (claim, pause) = await TakeAsync(stoppingToken);
            if (claim is not null)
            {
                _ = RunAsync(claim, stoppingToken);
                continue;
            }

            slots.Release();
            await Task.Delay(pause, clock, stoppingToken).WithoutThrowing();
        }

        for (var i = 0; i < options.Value.Concurrency; i++) await slots.WaitAsync(CancellationToken.None);
    }

    private async Task<(WebhookClaim? Claim, TimeSpan Pause)> TakeAsync(CancellationToken ct)
    {
        try
        {
            var claim = await claims.TakeAsync(ct);
            isUnavailable = false;
            return (claim, options.Value.PollInterval);
        }
        catch (Exception failure)
        {
            if (!isUnavailable && !ct.IsCancellationRequested)
                logger.WebhooksNotRead(failure.Reason, failure.Unexpected);
            isUnavailable = true;
            return (null, retry);
        }
    }

    private async Task RunAsync(WebhookClaim claim, CancellationToken stopping)
    {
        try
        {
            await run.RunAsync(claim, stopping);
        }
        catch (Exception failure)
        {
            // Without a stored outcome, the claim ends by itself, and the batch is sent again.
            logger.WebhookInterrupted(claim.Id, failure.Reason, failure.Unexpected);
        }
        finally
        {
            slots.Release();
        }
    }
}
