using System.Runtime.CompilerServices;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Runs one audit at a time, over all Projectors.</summary>
internal sealed class Auditor(
    DedicatedConnections sessions,
    AuditParts parts,
    IOptions<AuditingOptions> options,
    AuditMetrics metrics,
    ILogger<Auditor> logger)
{
    private const string LockSql = "SELECT pg_try_advisory_lock(hashtext('read.audit'))";

    /// <summary>The lines of a new audit; null while another one runs.</summary>
    public async Task<IAsyncEnumerable<AuditLine>?> BeginAsync(bool repair, CancellationToken ct)
    {
        var held = await SessionLock.TryTakeAsync(sessions, LockSql, ct);
        return held is null ? null : RunAsync(held, repair, ct);
    }

    private async IAsyncEnumerable<AuditLine> RunAsync(
        SessionLock held, bool repair, [EnumeratorCancellation] CancellationToken ct)
    {
        await using var ended = held;
        await foreach (var line in new AuditRun(parts, options.Value, repair).LinesAsync(ct))
        {
            Report(line);
            yield return line;
        }
    }

    private void Report(AuditLine line)
    {
        if (line is AuditDifference found)
        {
            logger.DocumentDiffers(
                found.Resource, found.Id, found.Segment, found.What, string.Join(' ', found.Fields), found.Repaired);
        }
        else if (line is AuditSummary summary)
        {
            metrics.Found(summary.Remaining);
            logger.Audited(summary.Compared, summary.Different, summary.Repaired, summary.NotCompared, summary.Seconds);
        }
    }
}
