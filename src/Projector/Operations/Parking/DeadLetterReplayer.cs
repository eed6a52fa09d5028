using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>Reads and applies dead letters again, with the code for every message.</summary>
internal sealed class DeadLetterReplayer(
    NpgsqlDataSource database,
    DeadLetters letters,
    BatchApplier applier,
    Projections projections,
    ILogger<DeadLetterReplayer> logger)
{
    private const string Replaced = "Its events are of an event log that was replaced.";

    /// <summary>What was done, or would be done without a dry run; null without such a dead letter.</summary>
    public async Task<DeadLetterReplay?> ReplayAsync(int id, bool dryRun, CancellationToken ct) =>
        await letters.BodyAsync(id, orLater: false, ct) is var (_, body)
            ? await ReplayAsync(id, body, dryRun, ct)
            : null;

    /// <summary>The same for the first dead letter after this one.</summary>
    public async Task<DeadLetterReplay?> ReplayNextAsync(int after, bool dryRun, CancellationToken ct) =>
        await letters.BodyAsync(after, orLater: true, ct) is var (id, body)
            ? await ReplayAsync(id, body, dryRun, ct)
            : null;

    private async Task<DeadLetterReplay> ReplayAsync(int id, byte[] body, bool dryRun, CancellationToken ct)
    {
        var (batch, refusal) = MessageReader.Read(body, projections, logger);
        var before = 0L;
        if (batch is not null) (before, refusal) = await ApplyAsync(batch, dryRun, ct);
        if (batch is null || refusal is not null)
        {
            if (!dryRun) await letters.SaveReasonAsync(id, refusal!, ct);
            var count = batch?.Entries.Count ?? 0;
            return new(id, dryRun, DeadLetterReplay.Refused, batch?.Resource, count, 0, refusal);
        }

        // Deleted after its events are applied: a crash in between leaves a dead letter whose events are repeated.
        if (!dryRun) await letters.DeleteAsync(id, ct);
        if (!dryRun) logger.DeadLetterReplayed(id, batch.Resource, batch.Entries.Count);
        var repeated = batch.Entries.Count(entry => entry.Position <= before);
        return new(id, dryRun, DeadLetterReplay.Applied, batch.Resource, batch.Entries.Count, repeated, null);
    }

    // The checkpoint before the batch was, or would be, applied; or why it cannot be.
    private async Task<(long Before, string? Refusal)> ApplyAsync(EventBatch batch, bool dryRun, CancellationToken ct)
    {
        if (dryRun)
        {
            await using var command = database.CreateCommand(
                "SELECT position FROM read.checkpoints WHERE resource = $1");
            command.Parameters.Add(Parameter(batch.Resource));
            return ((long)(await command.ExecuteScalarAsync(ct))!, null);
        }

        try
        {
            var applied = await applier.ApplyAsync([batch], ct);
            await applied.Raised;
            return applied.Skipped.Count > 0 ? (0, Replaced) : (applied.Positions[batch.Resource].Before, null);
        }
        // The log does not have the events that the message requires. Without a response the message only waits.
        catch (EventLogException exception) when (exception.HasResponded)
        {
            return (0, exception.Message);
        }
    }
}
