namespace ApexShop.Commands.Api.Commands;

/// <summary>The answer of a set-based change: how many rows it changed.</summary>
internal sealed record ChangedRows(int Changed);

/// <summary>The answer of a set-based deletion: how many rows it deleted.</summary>
internal sealed record DeletedRows(int Deleted);

/// <summary>The answer of a deletion by ids: how many were deleted, and which were not there.</summary>
internal sealed record RemovedRows(int Deleted, IReadOnlyList<int> NotFound)
{
    public static RemovedRows Of(IEnumerable<int> asked, IReadOnlyCollection<int> found) =>
        new(found.Count, [.. asked.Except(found).Order()]);
}

/// <summary>Row <paramref name="Id"/> must stay because of row <paramref name="By"/> of another resource.</summary>
internal sealed record BlockedRow(int Id, int By);
