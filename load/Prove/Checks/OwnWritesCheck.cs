using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class OwnWritesCheck
{
    public static IEnumerable<string> Find(History history) =>
        from read in history.Reads
        where read.Outcome == Outcome.Acknowledged && read.Tokens.Count > 0
        let seen = read.Seen.DistinctBy(sight => sight.Id).ToDictionary(sight => sight.Id)
        from token in read.Tokens
        where token.Resource == History.OperationOf(read).Resource && read.Asked.Contains(token.Id)
        let wrong = Compare(history, token, seen.GetValueOrDefault(token.Id))
        where wrong is not null
        select $"{read} with the token of {token.Resource}/{token.Id} version {token.Version} {wrong}";

    private static string? Compare(History history, Saved token, Sight sight)
    {
        // The response to a deletion names no version.
        if (token.Version == 0)
            return sight.Version == 0 ? null : $"shows version {sight.Version} after the deletion";
        var least = history.LeastVersionOf(token);
        if (sight.Version >= least) return null;
        if (sight.Version > 0) return $"shows version {sight.Version}";
        return history.LastOf(token.Resource, token.Id)?.Kind == EventKind.Deleted ? null : "does not show it";
    }
}
