using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Compares a list of replacements with the rows they are for, which are locked.</summary>
internal static class Replacements
{
    public static int[] Ids<T>(IReadOnlyList<T> items)
        where T : IReplacementItem => [.. items.Select(item => item.Id!.Value)];

    /// <summary>Nothing, when there is a row for each item and it has the version that the item names, if it names one.</summary>
    /// <param name="what">What a row is, in problems.</param>
    /// <param name="items">The replacements.</param>
    /// <param name="versions">The rows that there are, with their versions.</param>
    /// <param name="first">Place of the first item in the list that the caller sent.</param>
    public static Problem? Check<T>(string what, IReadOnlyList<T> items, IReadOnlyDictionary<int, long> versions, int first = 0)
        where T : IReplacementItem
    {
        var unknown = new ItemErrors(first);
        unknown.AddUnknown(items, "id", what, item => item.Id!.Value, [.. versions.Keys]);
        if (unknown.Any)
            return unknown.ToProblem(StatusCodes.Status404NotFound, $"{what}.not_found", $"There is no {what} for some of the ids.");

        var (mismatches, current) = (new ItemErrors(first), new List<Saved>());
        for (var i = 0; i < items.Count; i++)
        {
            var (id, version) = (items[i].Id!.Value, versions[items[i].Id!.Value]);
            if (items[i].Version is not { } expected || expected == version) continue;
            if (!mismatches.Full) current.Add(new Saved(id, version));
            mismatches.Add(i, "version", $"The current version is {version}.");
        }

        if (!mismatches.Any) return null;
        var problem = mismatches.ToProblem(
            StatusCodes.Status412PreconditionFailed, "version.mismatch", "Some versions are not the current ones.");
        problem.Extensions["current"] = current;
        return problem;
    }
}
