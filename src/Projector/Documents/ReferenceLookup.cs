namespace ApexShop.Projector.Documents;

/// <summary>What a <see cref="ReferenceQuery"/> found for some keys.</summary>
internal sealed record ReferenceLookup(ReferenceQuery Query, int[] Keys, int Most)
{
    public HashSet<int> Ids { get; } = [];

    /// <summary>The rows that were read, also those of other keys.</summary>
    public int Rows { get; set; }

    /// <summary>The keys whose name is pending.</summary>
    public HashSet<int> Pending { get; } = [];

    /// <summary>The keys whose documents, perhaps millions, are read in pages; not in tables in use.</summary>
    public List<int> Paged { get; } = [];

    public bool IsComplete => Rows <= Most && Pending.Count == 0;
}
