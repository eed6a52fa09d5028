using ApexShop.Operations;
using ApexShop.Projector.ReadModels;

namespace ApexShop.Projector.Auditing;

/// <summary>Something that an audit found wrong; without an id it belongs to the bucket as a whole.</summary>
internal sealed record Difference(string What, int? Id = null)
{
    public IReadOnlyList<string> Fields { get; init; } = [];

    /// <summary>The row that was looked at; null when there was none.</summary>
    public ExaminedDocument? Row { get; init; }

    /// <summary>What the write side has of it.</summary>
    public AggregateCheck? Truth { get; init; }
}

/// <summary>What can be wrong; docs/operations.md says what each word means and what to do.</summary>
internal static class Differences
{
    public const string Columns = "columns";
    public const string State = "state";
    public const string Missing = "missing";
    public const string Behind = "behind";
    public const string Ahead = "ahead";
    public const string Buried = "buried";
    public const string Alive = "alive";
    public const string Foreign = "foreign";
    public const string Derived = "derived";
    public const string Beside = "beside";
    public const string Parked = "parked";
    public const string Unlogged = "unlogged";
}
