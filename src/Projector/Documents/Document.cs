namespace ApexShop.Projector.Documents;

/// <summary>A row of a document table; a tombstone has no view.</summary>
internal sealed record Document<TView>(int Id, long Version, TView? View, byte[]? Body)
    where TView : class;
