using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>What came of holding documents against the tables; the unjudged lagged behind for too long.</summary>
internal sealed record Judgement(IReadOnlyList<Difference> Differences, int Unjudged);

/// <summary>
/// Holds the documents of a bucket against the tables. What differs may just be on its way: it is looked at again until
/// the projection has passed the event that the tables' answer names.
/// </summary>
internal sealed class BucketJudge(BucketReader reader, Truth truth, EventLogClient log, Projections projections, TimeProvider clock)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(200);

    /// <summary>Judges all documents of the look's bucket, of which the tables have this checksum, or none.</summary>
    public async Task<Judgement> JudgeAsync(BucketLook look, BucketChecksum? checksum, TimeSpan patience, CancellationToken ct) =>
        IsSame(look, checksum) ? new([], 0) : await JudgeAsync(look, only: null, patience, ct);

    /// <summary>Judges some documents, of which the look is.</summary>
    public async Task<Judgement> JudgeAsync(BucketLook look, int[]? only, TimeSpan patience, CancellationToken ct)
    {
        var started = clock.GetTimestamp();
        var differences = new List<Difference>();
        var first = new Dictionary<int, AggregateCheck>();
        while (true)
        {
            // Asked for after the look: what is in the documents is in the tables too.
            var rows = look.Bucket < 0 ? [] : await truth.AggregatesAsync(look.Kind, look.Bucket, ct);
            only ??= [.. look.Found.Documents.Keys.Union(rows.Keys)];
            int[] open = [.. only.Where(id => !IsJudged(look, id, rows.GetValueOrDefault(id), first, differences))];
            if (open.Length == 0 || clock.GetElapsedTime(started) > patience)
                return new(await WithReasonsAsync(look, differences, rows, ct), open.Length);

            await Task.Delay(pause, clock, ct);
            look = await reader.LookAsync(look.Kind, look.Bucket, only = open, ExaminedPart.Rows, ct);
        }
    }

    private static bool IsSame(BucketLook look, BucketChecksum? checksum)
    {
        var living = look.Found.Documents.Values.Where(document => !document.IsDeleted).ToList();
        if (look.Found.Documents.Values.Any(document => document.WrongColumns.Count > 0)) return false;
        if (living.Count != (checksum?.Count ?? 0) || living.Exists(document => document.Checksum is null)) return false;
        return checksum is null || StateChecksum.OfBucket(living.Select(document => document.Checksum!)) == checksum.Checksum;
    }

    // False while the change that explains a difference is on its way.
    private static bool IsJudged(
        BucketLook look, int id, AggregateCheck? row, Dictionary<int, AggregateCheck> first, List<Difference> differences)
    {
        var document = look.Found.Documents.GetValueOrDefault(id);
        var verdict = Verdict.Of(document, row, look.Checkpoint);
        if (document is { WrongColumns.Count: > 0 }) verdict = Verdict.Wrong(Difference.Columns);
        else if (verdict.IsOpen && !first.TryAdd(id, row!)) verdict = Verdict.OfBusy(document, first[id], look.Checkpoint);
        if (verdict.IsOpen) return false;
        if (verdict.What is { } what)
            differences.Add(new(look.Parked.Contains(id) ? Difference.Parked : what, id, document?.WrongColumns ?? []));
        return true;
    }

    // A state that is the log's own differs because its row was changed without an event; no event will bring that.
    private async Task<List<Difference>> WithReasonsAsync(
        BucketLook look, List<Difference> differences, Dictionary<int, AggregateCheck> rows, CancellationToken ct)
    {
        int[] unlike = [.. differences.Where(difference => difference.What == Difference.State).Select(difference => difference.Id!.Value)];
        var unlogged = new HashSet<int>();
        foreach (var chunk in unlike.Chunk(EventLogClient.MostAggregates))
        {
            foreach (var (id, entry) in await log.LastAsync(look.Kind, chunk, ct))
            {
                var change = Reading.Of(entry, projections[look.Kind]).Change;
                var logged = change is null ? null : projections[look.Kind].ChecksumOf(change.State);
                if (change?.State.Version == rows[id].Version && logged is not null && Convert.ToHexStringLower(logged) != rows[id].Checksum)
                    unlogged.Add(id);
            }
        }

        return differences.ConvertAll(difference =>
            difference is { What: Difference.State, Id: { } id } && unlogged.Contains(id) ? difference with { What = Difference.Unlogged } : difference);
    }
}
