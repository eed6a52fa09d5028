using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Compares the event log with the documents at the start, every ten seconds, and when an event has another identity.
/// Documents of another log are wrong and are not corrected by new events, which look repeated or contradict those
/// applied; so they are rebuilt. Documents that the log continues only get its identity.
/// </summary>
internal sealed class RestoreWatch(
    LogContinuity continuity,
    Rebuilder rebuilder,
    CurrencyCheck currency,
    ForeignLogs foreign,
    LogWatch watch,
    IOptions<RebuildingOptions> options,
    TimeProvider clock,
    ILogger<RestoreWatch> logger)
    : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(10);

    // Until the first comparison no event is applied to documents without an identity.
    private static readonly TimeSpan firstRetry = TimeSpan.FromMilliseconds(250);

    // Whether the documents still need the identity of the log, which was found to continue them.
    private bool isPending;

    /// <summary>Why the documents are known to be of another log; null when they are not.</summary>
    public string? Break { get; private set; }

    public async Task CompareAsync(CancellationToken ct)
    {
        var others = foreign.Found;
        var compared = await continuity.CompareAsync(ct);
        if (compared.LogId is { } current) foreign.Compared(others, current);
        var found = compared.Break;
        isPending = found is null && compared.IsOther;
        if (found is null && Break is not null) logger.LogContinues();
        if (found is not null) await HandleAsync(found, compared, ct);
        else if (isPending) isPending = !await AdoptAsync(compared, ct);
        Break = found;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var (isCompared, isFailing, hasCurrency) = (false, false, false);
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await CompareAsync(stoppingToken);
                if (!hasCurrency && Break is null) hasCurrency = await currency.RunAsync(stoppingToken);
                (isCompared, isFailing) = (true, false);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!isFailing) logger.LogNotCompared(exception.Message);
                isFailing = true;
            }

            await foreign.WaitAsync(isCompared && !isPending ? interval : firstRetry, clock, stoppingToken);
        }
    }

    private async Task<bool> AdoptAsync(LogComparison compared, CancellationToken ct)
    {
        if (!await continuity.AdoptAsync(compared, ct)) return false;
        logger.LogIdentityAdopted(compared.LogId!);
        // Messages of the log before are skipped from now on.
        watch.Wake();
        return true;
    }

    private async Task HandleAsync(string found, LogComparison compared, CancellationToken ct)
    {
        // An empty log belongs to a shop that is not restored yet, or to a wrong address: it refutes nothing.
        var isEmpty = await continuity.IsEmptyAsync(ct);
        if (!isEmpty) await continuity.RefuteAsync(compared, ct);
        var follows = options.Value.AfterRestore && !isEmpty;
        if (found != Break)
            logger.LogBroken(
                found,
                follows ? "They are rebuilt from it" : "No rebuild starts automatically; run ./apexshop rebuild");
        // Another Projector may have begun the rebuild already.
        if (follows)
            await rebuilder.BeginAutomaticAsync(found, async () => await continuity.FindBreakAsync(ct) is not null, ct);
    }
}
