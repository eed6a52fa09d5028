using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>Replays one aggregate's parked events in one transaction, each after a savepoint.</summary>
internal sealed class ReplayTransaction(StatementBatch statements, AggregateKey aggregate, Projections projections)
{
    private readonly List<(long Position, DecodedEvent DecodedEvent)> parked = [];
    private readonly List<ReplayedEvent> replayed = [];
    private long total;
    private long? before;
    private long? version;

    public Invalidations Invalidations { get; } = new();

    /// <summary>Reads the first parked events; false when there are none.</summary>
    public async Task<bool> LoadAsync(int limit, CancellationToken ct)
    {
        statements.Add(
            $"""
            SELECT position, event, {ParkedAggregates.CountSql("$1, $2")}
            FROM read.parked_events WHERE resource = $1 AND aggregate_id = $2 ORDER BY position LIMIT $3
            """,
            row =>
            {
                var json = row.GetFieldValue<byte[]>(1);
                parked.Add((row.GetInt64(0), DecodedEvent.DecodeStored(json, projections[aggregate.Resource])));
                total = row.GetInt64(2);
            },
            Parameter(aggregate.Resource),
            Parameter(aggregate.Id),
            Parameter(limit));
        AddVersionQuery();
        await statements.RunAsync(ct);
        before = version;
        return parked.Count > 0;
    }

    /// <summary>Applies events until one is refused, stores its new reason, and deletes those before it.</summary>
    public async Task ApplyAsync(CancellationToken ct)
    {
        foreach (var (position, decoded) in parked)
        {
            if (replayed.Count > 0 && replayed[^1].Outcome is ReplayedEvent.Refused or ReplayedEvent.Waits)
                AddOutcome(decoded, ReplayedEvent.Waits);
            else if (decoded.Fault is { } fault) AddOutcome(decoded, ReplayedEvent.Refused, fault);
            else await ApplyAsync(decoded, ct);
        }

        statements.Add(
            "DELETE FROM read.parked_events WHERE position = ANY($1)",
            Parameter(replayed.Where(IsDone).Select(one => one.Position).ToArray()));
        if (Refused is { } refused)
        {
            statements.Add(
                "UPDATE read.parked_events SET reason = $2 WHERE position = $1",
                Parameter(refused.Position),
                Parameter(refused.Reason!));
        }
    }

    public async Task<ParkedReplay> ResultAsync(bool dryRun, CancellationToken ct)
    {
        AddVersionQuery();
        await statements.RunAsync(ct);
        var done = replayed.Count(IsDone);
        return new(
            aggregate.Resource,
            aggregate.Id,
            dryRun,
            done,
            (int)total - done,
            before,
            version,
            Refused?.Reason,
            replayed);
    }

    private ReplayedEvent? Refused => replayed.FirstOrDefault(one => one.Outcome == ReplayedEvent.Refused);

    private static bool IsDone(ReplayedEvent one) => one.Outcome is ReplayedEvent.Applied or ReplayedEvent.Passed;

    private async Task ApplyAsync(DecodedEvent decoded, CancellationToken ct)
    {
        var change = decoded.Change!;
        var refusal = await statements.TryAsync(
            () => projections.ApplyAsync(statements, aggregate.Resource, [change], Invalidations, ct), ct);
        if (refusal is not null)
        {
            AddOutcome(decoded, ReplayedEvent.Refused, refusal);
            return;
        }

        AddOutcome(decoded, change.State.Version > (version ?? 0) ? ReplayedEvent.Applied : ReplayedEvent.Passed);
        version = Math.Max(version ?? 0, change.State.Version);
    }

    private void AddOutcome(DecodedEvent decoded, string outcome, string? reason = null) => replayed.Add(
        new(
            decoded.Entry.Position,
            decoded.Entry.Type,
            decoded.Change?.State.Version,
            outcome,
            reason?.Replace('\0', ' ')));

    private void AddVersionQuery() => statements.Add(
        ParkedAggregates.VersionSql(aggregate.Resource),
        row => version = row.GetInt64(0),
        Parameter(aggregate.Id));
}
