using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>A difference that an audit found; without an id it is one of the whole bucket.</summary>
internal sealed record Difference(string What, int? Id, IReadOnlyList<string> Fields)
{
    // docs/operations.md explains each value and what to do.
    public const string Columns = "columns";
    public const string State = "state";
    public const string Missing = "missing";
    public const string Behind = "behind";
    public const string Ahead = "ahead";
    public const string Deleted = "deleted";
    public const string NotDeleted = "notDeleted";
    public const string Foreign = "foreign";
    public const string Derived = "derived";
    public const string SideTable = "sideTable";
    public const string Parked = "parked";
    public const string Unlogged = "unlogged";

    /// <summary>Whether it was repaired; null without an attempt.</summary>
    public bool? Repaired { get; init; }

    public AuditDifference Line(string resource, int bucket) =>
        new(resource, Id, Id is null ? bucket : null, What, Fields, Repaired);
}
