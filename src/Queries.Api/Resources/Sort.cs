namespace ApexShop.Queries.Api.Resources;

/// <summary>
/// An order of a list; rows with the same value are in the order of their ids, in the same direction. The column is
/// never null in a living row; the order of ids alone has none.
/// </summary>
internal sealed record Sort(string Name, string? Column, ValueKind? Kind, bool IsDescending = false)
{
    public static Sort Id { get; } = new("id", null, null);

    /// <summary>Whether a caller may name it; else it is only what a filter brings with it.</summary>
    public bool IsNamed { get; init; } = true;

    /// <summary>The table that has the column, if it is not the documents' own, with the same id under another name.</summary>
    public (string Table, string Id)? Aside { get; init; }

    public string IdColumn => Aside?.Id ?? "id";

    public static Sort Up(string name, string column, ValueKind kind) => new(name, column, kind);

    public static Sort Down(string name, string column, ValueKind kind) => new(name, column, kind, IsDescending: true);
}

/// <summary>Documents counted by segments of ids: a total without counting, and the segment in which an offset lies.</summary>
internal sealed record Ruler(string Table, string Key, ValueKind Kind, string Count);
