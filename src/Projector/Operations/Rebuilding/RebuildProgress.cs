using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The progress of a rebuild, which other threads read.</summary>
internal sealed class RebuildProgress(string cause, TimeProvider clock)
{
    private const int MostExamples = 5;

    private readonly Lock gate = new();
    private readonly Dictionary<string, RebuiltDocuments> documents = [];
    private readonly DateTimeOffset startedAt = clock.GetUtcNow();
    private readonly long began = clock.GetTimestamp();
    private string state = RebuildState.Running;
    private TimeSpan? took;
    private string? failure;

    public string Phase { get; set; } = RebuildPhase.Reading;

    public long Position { get; set; }

    public int Parked { get; set; }

    /// <summary>Notes how many documents each resource has, and of which all are done.</summary>
    public void Begin(string phase, IReadOnlyDictionary<string, long> totals, Func<string, bool> isDone)
    {
        Phase = phase;
        lock (gate)
        {
            foreach (var (resource, total) in totals)
                documents[resource] = new(isDone(resource) ? total : 0, total, 0, 0, []);
        }
    }

    public void Copied(string resource, int count)
    {
        lock (gate) documents[resource] = documents[resource] with { Done = documents[resource].Done + count };
    }

    /// <summary>Notes how many documents are in use and differ, and the lowest ids of those.</summary>
    public void Compared(string resource, long? before, long differing, IEnumerable<int> lowest)
    {
        lock (gate)
        {
            documents[resource] = documents[resource] with
            {
                Before = before ?? documents[resource].Before,
                Differing = differing,
                Examples = [.. lowest.Take(MostExamples)],
            };
        }
    }

    public void End(string outcome, string? reason)
    {
        lock (gate) (state, failure, took) = (outcome, reason, clock.GetElapsedTime(began));
    }

    public RebuildStatus Status()
    {
        lock (gate)
        {
            var seconds = Math.Round((took ?? clock.GetElapsedTime(began)).TotalSeconds, 2);
            return new(
                state,
                Phase,
                cause,
                new Dictionary<string, RebuiltDocuments>(documents),
                Position,
                seconds,
                startedAt,
                failure,
                Parked,
                CanRollBack: false);
        }
    }
}
