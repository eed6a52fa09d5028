using System.Runtime.CompilerServices;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>What an audit is to do.</summary>
/// <param name="Repair">Whether differences are repaired.</param>
/// <param name="From">Where it begins; the <c>next</c> of the last progress continues an audit.</param>
internal sealed record AuditRequest(bool Repair, AuditPosition From);

/// <summary>Runs one audit at a time, over all Projectors.</summary>
internal sealed class Auditor(
    DedicatedConnections sessions,
    AuditParts parts,
    IOptions<AuditingOptions> options,
    AuditRecord record,
    ILogger<Auditor> logger)
{
    private const string LockSql = "SELECT pg_try_advisory_lock(hashtext('read.audit'))";

    /// <summary>The lines of a new audit; null while another one runs.</summary>
    public async Task<IAsyncEnumerable<AuditLine>?> BeginAsync(AuditRequest request, CancellationToken ct)
    {
        var held = await SessionLock.TryTakeAsync(sessions, LockSql, ct);
        return held is null ? null : RunAsync(held, request, null, ct);
    }

    /// <summary>The lines of the scheduled audit; null while none is due or another audit runs.</summary>
    public async Task<IAsyncEnumerable<AuditLine>?> BeginDueAsync(CancellationToken ct)
    {
        if (await record.DueAsync(options.Value.Interval, ct) is null) return null;
        if (await SessionLock.TryTakeAsync(sessions, LockSql, ct) is not { } held) return null;
        try
        {
            // Another Projector may have run it before this one had the lock.
            if (await record.DueAsync(options.Value.Interval, ct) is { } due)
                return RunAsync(held, new(Repair: false, due.From), due.Found, ct);
        }
        catch
        {
            await held.DisposeAsync();
            throw;
        }

        await held.DisposeAsync();
        return null;
    }

    /// <param name="held">The lock of audits.</param>
    /// <param name="request">What the audit is to do.</param>
    /// <param name="found">What the scheduled audit has found before; null for another audit.</param>
    /// <param name="ct">Ends the audit.</param>
    private async IAsyncEnumerable<AuditLine> RunAsync(
        SessionLock held,
        AuditRequest request,
        Dictionary<string, long>? found,
        [EnumeratorCancellation] CancellationToken ct)
    {
        await using var ended = held;
        var before = 0L;
        await foreach (var line in new AuditRun(parts, options.Value, request).LinesAsync(ct))
        {
            Report(line);
            if (line is AuditProgress progress && found is not null)
            {
                found[progress.Resource] =
                    found.GetValueOrDefault(progress.Resource) + progress.Differences - before;
                before = progress.Differences;
                await AuditRecord.SaveAsync(held, progress.Next, found, ct);
            }
            else if (line is AuditSummary summary && (found is not null || request.From == AuditPosition.First))
            {
                // Not for the rest of an operator's audit: its summary lacks the differences found before.
                await AuditRecord.EndAsync(held, found ?? new(summary.Remaining), ct);
            }

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
            logger.Audited(summary.Compared, summary.Different, summary.Repaired, summary.NotCompared, summary.Seconds);
        }
    }
}
