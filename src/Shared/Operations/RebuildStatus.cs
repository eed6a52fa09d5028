namespace ApexShop.Operations;

/// <summary>The running or the last rebuild: the response of GET /admin/projections/rebuild.</summary>
/// <param name="State">One of <see cref="RebuildState"/>.</param>
/// <param name="Phase">
/// The current or last phase: one of <see cref="RebuildPhase"/>; empty before the first rebuild.
/// </param>
/// <param name="Cause">Why it was started.</param>
/// <param name="Documents">Progress and result by resource; available after the log has been read.</param>
/// <param name="Position">Position up to which the log has been read.</param>
/// <param name="Seconds">Duration in seconds.</param>
/// <param name="StartedAt">Start time, UTC.</param>
/// <param name="Failure">Why it failed.</param>
/// <param name="ParkedAggregates">Number of aggregates with events that could not be applied in the rebuild.</param>
/// <param name="CanRollBack">Whether the previous tables still exist.</param>
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
    /// <summary>The status before the first rebuild.</summary>
    public static RebuildStatus None { get; } = new(
        RebuildState.None, "", "", new Dictionary<string, RebuiltDocuments>(), 0, 0, null, null, 0, CanRollBack: false);
}

/// <summary>Documents of one resource in a rebuild.</summary>
/// <param name="Done">Number of copied documents, including tombstones.</param>
/// <param name="Total">Number of documents to copy.</param>
/// <param name="Before">Number of documents in the previous tables, without tombstones.</param>
/// <param name="Differing">
/// Number of documents that are new, changed or removed compared with the previous tables.
/// </param>
/// <param name="Examples">Ids of some of these documents.</param>
public sealed record RebuiltDocuments(long Done, long Total, long Before, long Differing, IReadOnlyList<int> Examples);

/// <summary>The states of a rebuild.</summary>
public static class RebuildState
{
    public const string None = "none";
    public const string Running = "running";
    public const string Done = "done";
    public const string Failed = "failed";
}

/// <summary>The phases of a rebuild, in order.</summary>
public static class RebuildPhase
{
    public const string Reading = "reading";
    public const string Copying = "copying";
    public const string Indexing = "indexing";
    public const string CatchingUp = "catching up";
    public const string Comparing = "comparing";
    public const string Switching = "switching";
}
