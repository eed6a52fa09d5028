namespace ApexShop.Commands.Api.Commands;

/// <summary>The response of a create or replace: the aggregate's id and version; the version is the ETag too.</summary>
internal sealed record Saved(int Id, long Version);

/// <summary>The response of a bulk create: the new ids, in the order of the items.</summary>
internal sealed record BulkCreated(int Count, IReadOnlyList<int> Ids);

/// <summary>The response of a bulk replace: the new versions, in the order of the items.</summary>
internal sealed record BulkReplaced(int Count, IReadOnlyList<Saved> Items);

/// <summary>The response of a set-based change: how many rows it changed.</summary>
internal sealed record ChangedRows(int Changed);

/// <summary>The response of a set-based deletion: how many rows it deleted.</summary>
internal sealed record DeletedRows(int Deleted);

/// <summary>The response of a deletion by ids: how many rows it deleted, and which ids do not exist.</summary>
internal sealed record RemovedRows(int Deleted, IReadOnlyList<int> NotFound)
{
    public static RemovedRows Of(IEnumerable<int> requested, IReadOnlyCollection<int> deleted) =>
        new(deleted.Count, [.. requested.Except(deleted).Order()]);
}
