namespace ApexShop.Operations;

/// <summary>What became of a document that was written anew from the event log.</summary>
/// <param name="Resource">One of the five resources.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Outcome">
/// <c>written</c>: it has the log's last state; <c>deleted</c>: the log's last event is a deletion; <c>removed</c>: the log
/// does not know it; <c>refused</c>: nothing was changed, and <paramref name="Reason"/> tells why.
/// </param>
/// <param name="Version">The log's last version, where there is one that can be read.</param>
/// <param name="Unparked">Parked events that are not needed any more.</param>
/// <param name="Reason">Why it was refused.</param>
public sealed record AggregateHeal(
    string Resource, int Id, string Outcome, long? Version, int Unparked, string? Reason = null)
{
    public const string Written = "written";
    public const string Deleted = "deleted";
    public const string Removed = "removed";
    public const string Refused = "refused";
}
