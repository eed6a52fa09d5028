using ApexShop.Operations;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Counts what an audit finds; the first differences are reported one by one.</summary>
internal sealed class AuditCounts(int mostNamed)
{
    private readonly Dictionary<string, long> remaining = Resource.Names.ToDictionary(resource => resource, _ => 0L);
    private AuditPosition next = AuditPosition.First;
    private long compared;
    private long comparedBefore;
    private long different;
    private long repaired;

    public long NotCompared { get; set; }

    public AuditProgress Progress => new(next.Kind, compared - comparedBefore, different, next.ToString());

    public void Begin(AuditPosition pass) => (next, comparedBefore) = (pass, compared);

    public void Compared(int documents) => compared += documents;

    /// <summary>Counts differences and gives those to report.</summary>
    public IEnumerable<AuditDifference> Count(string resource, int bucket, IReadOnlyList<Difference> found)
    {
        next = next with { Bucket = bucket + 1 };
        var named = (int)Math.Clamp(mostNamed - different, 0, found.Count);
        different += found.Count;
        var right = found.Count(difference => difference.Repaired is true);
        repaired += right;
        remaining[resource] += found.Count - right;
        return found.Take(named).Select(difference => difference.Line(resource, bucket));
    }

    public AuditSummary Summary(TimeSpan elapsed) =>
        new(compared, different, repaired, NotCompared, remaining, Math.Round(elapsed.TotalSeconds, 3));
}
