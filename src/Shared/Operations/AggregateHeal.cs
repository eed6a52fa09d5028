namespace ApexShop.Operations;

/// <summary>The result of rewriting a document from the event log.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Outcome">
/// <c>written</c>: it has the last state of the log; <c>deleted</c>: the last event of the log is a deletion;
/// <c>removed</c>: the log has no event of it; <c>refused</c>: nothing was changed, see <paramref name="Reason"/>.
/// </param>
/// <param name="Version">The last version in the log, if it can be parsed.</param>
/// <param name="Unparked">Number of parked events that were removed, because the document includes them.</param>
/// <param name="Reason">The reason of a refusal.</param>
public sealed record AggregateHeal(
    string Resource, int Id, string Outcome, long? Version, int Unparked, string? Reason = null)
{
    public const string Written = "written";
    public const string Deleted = "deleted";
    public const string Removed = "removed";
    public const string Refused = "refused";
}
