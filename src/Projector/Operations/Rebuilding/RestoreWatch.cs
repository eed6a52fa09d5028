using ApexShop.Projector.Intake;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Compares the event log with the documents at start and every ten seconds. Documents of another log are wrong and stay so
/// by themselves: new events are repeats or contradict what was applied. So they are rebuilt.
/// </summary>
internal sealed class RestoreWatch(
    LogContinuity continuity, Rebuilder rebuilder, IOptions<RebuildingOptions> options, TimeProvider clock, ILogger<RestoreWatch> logger)
    : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(10);

    /// <summary>What showed at the last look that the documents are of another log.</summary>
    public string? Break { get; private set; }

    public async Task LookAsync(CancellationToken ct)
    {
        var found = await continuity.BreakAsync(ct);
        if (found is null && Break is not null) logger.LogContinues();
        if (found is not null) await AnswerAsync(found, ct);
        Break = found;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        do
        {
            try
            {
                await LookAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.LogNotCompared(exception.Message);
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    private async Task AnswerAsync(string found, CancellationToken ct)
    {
        // An empty log is a shop that was not restored yet, or the address of another one: nobody wants its documents.
        var follows = options.Value.AfterRestore && !await continuity.IsEmptyAsync(ct);
        if (found != Break) logger.LogBroken(found, follows ? "They are rebuilt from it" : "Nothing is done unasked: ./apexshop rebuild");
        // Another Projector may have seen it too, and been faster.
        if (follows) await rebuilder.BeginAsync($"Restore: {found}.", async () => await continuity.BreakAsync(ct) is not null, ct);
    }
}
