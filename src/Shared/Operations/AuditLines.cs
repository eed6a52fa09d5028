namespace ApexShop.Operations;

/// <summary>A line of the answer of POST /admin/audit; <paramref name="Kind"/> says which.</summary>
public abstract record AuditLine(string Kind);

/// <summary>How far the audit is.</summary>
/// <param name="Resource">What is being looked at.</param>
/// <param name="Compared">Documents of it that were compared so far.</param>
/// <param name="Differences">Differences found so far, of all resources.</param>
public sealed record AuditProgress(string Resource, long Compared, long Differences) : AuditLine("progress");

/// <summary>Something that is not what it should be.</summary>
/// <param name="Resource">Which documents.</param>
/// <param name="Id">Id of the document; null when what differs belongs to a segment of 500 ids.</param>
/// <param name="Segment">Number of that segment.</param>
/// <param name="What">What is wrong with it; docs/operations.md explains each word.</param>
/// <param name="Fields">The columns or tables at fault, where they are known.</param>
/// <param name="Repaired">Whether it is right now; null when no repair was asked for.</param>
public sealed record AuditDifference(
    string Resource, int? Id, int? Segment, string What, IReadOnlyList<string> Fields, bool? Repaired) : AuditLine("difference");

/// <summary>The last line of an audit that came to its end.</summary>
/// <param name="Compared">Documents that were compared.</param>
/// <param name="Different">Differences, those included that were not named.</param>
/// <param name="Repaired">How many of them are right now.</param>
/// <param name="Unjudged">Documents whose last change did not arrive in time to be compared.</param>
/// <param name="Remaining">Differences that stand, by resource.</param>
/// <param name="Seconds">How long it took.</param>
public sealed record AuditSummary(
    long Compared, long Different, long Repaired, long Unjudged, IReadOnlyDictionary<string, long> Remaining, double Seconds)
    : AuditLine("summary");

/// <summary>The last line of an audit that could not go on.</summary>
/// <param name="Code">The error code of the reason.</param>
/// <param name="Detail">The reason.</param>
public sealed record AuditFailure(string Code, string Detail) : AuditLine("failure");
