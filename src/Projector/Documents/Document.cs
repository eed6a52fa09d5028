namespace ApexShop.Projector.Documents;

/// <summary>A row of a document table; a tombstone has no view.</summary>
internal sealed record Document<TView>(int Id, long Version, long Revision, TView? View, byte[]? Body)
    where TView : class;

/// <summary>The highest revision of deleted rows, and the documents that their columns referred to.</summary>
internal sealed class DeletedRows
{
    public long Revision { get; set; }

    public List<(string Kind, int Id)> Parents { get; } = [];
}
