namespace ApexShop.Projector.Documents;

/// <summary>A row of a document table; without a view it is a tombstone.</summary>
internal sealed record Document<TView>(int Id, long Version, long Revision, TView? View, byte[]? Body)
    where TView : class;
