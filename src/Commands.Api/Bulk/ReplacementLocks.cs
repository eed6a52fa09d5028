using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The first statement of a bulk replace; the second one updates all rows and writes their events.</summary>
internal static class ReplacementLocks
{
    /// <summary>Locks the rows, compares ids and versions with the items, and returns the next versions.</summary>
    /// <param name="db">The database.</param>
    /// <param name="what">The noun for a row in problems.</param>
    /// <param name="resource">The resource of the rows.</param>
    /// <param name="items">The items of the request, or of a chunk of it.</param>
    /// <param name="ct">Cancels the query.</param>
    /// <param name="first">Index of the first item in the list of the request.</param>
    public static async Task<Result<BulkReplaced>> LockReplacedAsync<T>(
        this ShopDbContext db,
        string what,
        string resource,
        IReadOnlyList<T> items,
        CancellationToken ct,
        int first = 0)
        where T : IReplacementItem
    {
        var versions = await db.LockVersionsAsync(resource, items.Ids(), ct);
        var unknown = new ItemErrors(first);
        unknown.AddUnknown(items, "id", what, item => item.Id!.Value, versions.ContainsKey);
        if (unknown.Any)
        {
            return unknown.ToProblem(
                StatusCodes.Status404NotFound, $"{what}.not_found", $"There is no {what} for some of the ids.");
        }

        if (Mismatch(items, versions, first) is { } problem) return problem;
        var saved = items.Select(item => new Saved(item.Id!.Value, versions[item.Id.Value] + 1));
        return new BulkReplaced(items.Count, [.. saved]);
    }

    private static Problem? Mismatch<T>(IReadOnlyList<T> items, Dictionary<int, long> versions, int first)
        where T : IReplacementItem
    {
        var (errors, current) = (new ItemErrors(first), new List<Saved>());
        for (var i = 0; i < items.Count; i++)
        {
            var (id, version) = (items[i].Id!.Value, versions[items[i].Id!.Value]);
            if (items[i].Version is not { } expected || expected == version) continue;
            if (!errors.Full) current.Add(new Saved(id, version));
            errors.Add(i, "version", $"The current version is {version}.");
        }

        if (!errors.Any) return null;
        var problem = errors.ToProblem(
            StatusCodes.Status412PreconditionFailed, "version.mismatch", "Some versions are not the current ones.");
        problem.Extensions["current"] = current;
        return problem;
    }
}
