namespace ApexShop.Projector.Documents;

/// <summary>What of the documents is looked at: rows by themselves, or what is derived from other documents.</summary>
internal enum CheckedPart
{
    Rows,
    Derived,
}

/// <summary>
/// A row of a document table. <paramref name="Checksum"/> is that of the state in its body; a tombstone has none, nor has
/// what cannot be read.
/// </summary>
internal sealed record CheckedDocument(int Id, long Version, bool IsDeleted, byte[]? Checksum)
{
    /// <summary>The columns that are not what the body says; the body itself when its bytes are not such a document's.</summary>
    public List<string> WrongColumns { get; } = [];

    /// <summary>Shows something of other documents that is not what they say.</summary>
    public bool IsDerivedWrong { get; set; }
}

/// <summary>What a look at some documents found.</summary>
internal sealed class DocumentCheckResult
{
    public SortedDictionary<int, CheckedDocument> Documents { get; } = [];

    /// <summary>Rows of other tables that are not what the documents say; without an id it is one of the whole segment.</summary>
    public List<(string Table, int? Id)> WrongSideTables { get; } = [];
}
