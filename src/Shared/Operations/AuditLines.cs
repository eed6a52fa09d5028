namespace ApexShop.Operations;

/// <summary>A line of the response of POST /admin/audit; <paramref name="Kind"/> is its type.</summary>
public abstract record AuditLine(string Kind);

/// <summary>The progress of the audit.</summary>
/// <param name="Resource">Name of the resource that is compared.</param>
/// <param name="Compared">Documents of this resource that were compared so far.</param>
/// <param name="Differences">Differences found so far, of all resources.</param>
/// <param name="Next">What is compared next; <c>after</c> with it continues an audit that was interrupted.</param>
public sealed record AuditProgress(string Resource, long Compared, long Differences, string Next)
    : AuditLine("progress");

/// <summary>A difference between a document and its source.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the document; null when the difference belongs to a segment of 500 ids.</param>
/// <param name="Segment">Number of that segment.</param>
/// <param name="What">The kind of the difference; docs/operations.md explains each kind.</param>
/// <param name="Fields">The columns or tables that differ, if they are known.</param>
/// <param name="Repaired">Whether it was repaired; null when no repair was requested.</param>
public sealed record AuditDifference(
    string Resource, int? Id, int? Segment, string What, IReadOnlyList<string> Fields, bool? Repaired)
    : AuditLine("difference");

/// <summary>The last line of a complete audit, or of the rest of one that was continued.</summary>
/// <param name="Compared">Number of compared documents.</param>
/// <param name="Different">Number of differences, including those that were not listed.</param>
/// <param name="Repaired">Number of repaired differences.</param>
/// <param name="NotCompared">Documents whose last change was not projected in time to be compared.</param>
/// <param name="Remaining">Differences that were not repaired, by resource.</param>
/// <param name="Seconds">Duration in seconds.</param>
public sealed record AuditSummary(
    long Compared,
    long Different,
    long Repaired,
    long NotCompared,
    IReadOnlyDictionary<string, long> Remaining,
    double Seconds)
    : AuditLine("summary");

/// <summary>The last line of an audit that failed.</summary>
/// <param name="Code">The error code.</param>
/// <param name="Detail">The reason.</param>
public sealed record AuditFailure(string Code, string Detail) : AuditLine("failure");
