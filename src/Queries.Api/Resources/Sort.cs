namespace ApexShop.Queries.Api.Resources;

/// <summary>
/// An order of a list; rows with equal values are in the order of their ids, in the same direction. The column is never
/// null in a living row; the order of ids alone has no column.
/// </summary>
internal sealed record Sort(string Name, string? Column, ValueKind? Kind, bool IsDescending = false)
{
    public static Sort Id { get; } = new("id", null, null);

    /// <summary>By the column <c>name</c>, by code point as in its index: the same order on every machine.</summary>
    public static Sort ByName { get; } = Ascending("name", "name COLLATE \"C\"", ValueKind.AnyText);

    /// <summary>
    /// The filter that a request must also have to name this sort; its value is the <c>{0}</c> of the column. Null if
    /// none is needed.
    /// </summary>
    public string? RequiredFilter { get; init; }

    /// <summary>Whether a request may name it; otherwise it is only the default of a filter.</summary>
    public bool IsPublic { get; init; } = true;

    /// <summary>The table that has the column, if it is not the documents' own, and its column with the id.</summary>
    public (string Table, string Id)? SideTable { get; init; }

    public string IdColumn => SideTable?.Id ?? "id";

    public static Sort Ascending(string name, string column, ValueKind kind) => new(name, column, kind);

    public static Sort Descending(string name, string column, ValueKind kind) =>
        new(name, column, kind, IsDescending: true);
}

/// <summary>
/// A table that counts documents by segments of ids: it gives a total without counting rows, and the segment that
/// contains an offset.
/// </summary>
internal sealed record SegmentCounts(string Table, string KeyColumn, ValueKind Kind, string CountColumn);
