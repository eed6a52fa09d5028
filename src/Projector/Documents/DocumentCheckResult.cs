namespace ApexShop.Projector.Documents;

/// <summary>Whether the rows themselves are checked, or what is derived from other documents.</summary>
internal enum CheckedPart
{
    Rows,
    Derived,
}

/// <summary>
/// A row of a document table. <paramref name="Checksum"/> is that of the state in its body; null for a tombstone, and
/// for a body that cannot be read.
/// </summary>
internal sealed record CheckedDocument(int Id, long Version, bool IsDeleted, byte[]? Checksum)
{
    /// <summary>The columns that differ from the body, and the body itself when it cannot be read.</summary>
    public List<string> WrongColumns { get; } = [];

    /// <summary>Whether a derived value differs from the documents that it is derived from.</summary>
    public bool IsDerivedWrong { get; set; }
}

/// <summary>The result of checking some documents.</summary>
internal sealed class DocumentCheckResult
{
    public SortedDictionary<int, CheckedDocument> Documents { get; } = [];

    /// <summary>Side table rows that differ from the documents; a row of the whole segment has no id.</summary>
    public List<(string Table, int? Id)> WrongSideTables { get; } = [];
}
