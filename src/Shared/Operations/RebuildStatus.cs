namespace ApexShop.Operations;

/// <summary>The rebuild of the documents that runs, or the last one: the answer of GET /admin/projections/rebuild.</summary>
/// <param name="State">One of <see cref="RebuildState"/>.</param>
/// <param name="Phase">What it does, or did last: one of <see cref="RebuildPhase"/>; empty when there was none yet.</param>
/// <param name="Cause">Why it was started.</param>
/// <param name="Documents">Progress and outcome by resource, from the moment on when the log has been read.</param>
/// <param name="Position">How far the log has been read.</param>
/// <param name="Seconds">How long it runs, or ran.</param>
/// <param name="StartedAt">When it was started, UTC.</param>
/// <param name="Failure">Why it failed.</param>
/// <param name="ParkedAggregates">Aggregates with events that could not be applied this time either.</param>
/// <param name="CanRollBack">Whether the tables before are still there.</param>
public sealed record RebuildStatus(
    string State,
    string Phase,
    string Cause,
    IReadOnlyDictionary<string, RebuiltDocuments> Documents,
    long Position,
    double Seconds,
    DateTimeOffset? StartedAt,
    string? Failure,
    int ParkedAggregates,
    bool CanRollBack)
{
    /// <summary>No rebuild has been run.</summary>
    public static RebuildStatus None { get; } =
        new(RebuildState.None, "", "", new Dictionary<string, RebuiltDocuments>(), 0, 0, null, null, 0, CanRollBack: false);
}

/// <summary>Documents of one resource in a rebuild.</summary>
/// <param name="Done">Copied so far, tombstones of what is deleted among them.</param>
/// <param name="Total">To be copied.</param>
/// <param name="Before">Living documents in the tables before.</param>
/// <param name="Differing">Documents that were not there, or not the same, in the tables before, or are gone.</param>
/// <param name="Examples">Ids of some that differ.</param>
public sealed record RebuiltDocuments(long Done, long Total, long Before, long Differing, IReadOnlyList<int> Examples);

/// <summary>What became of a rebuild.</summary>
public static class RebuildState
{
    public const string None = "none";
    public const string Running = "running";
    public const string Done = "done";
    public const string Failed = "failed";
}

/// <summary>The phases of a rebuild, in their order.</summary>
public static class RebuildPhase
{
    public const string Reading = "reading";
    public const string Copying = "copying";
    public const string Indexing = "indexing";
    public const string CatchingUp = "catching up";
    public const string Comparing = "comparing";
    public const string Switching = "switching";
}
