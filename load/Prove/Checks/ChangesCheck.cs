using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ChangesCheck
{
    /// <summary>
    /// What a client has read behind its cursors is a copy of the resource. At its end the copy has the changes whose
    /// tokens were sent, and a later change of an aggregate is not an earlier version.
    /// </summary>
    public static IEnumerable<string> Find(History history)
    {
        var copies = new Dictionary<(int Client, string Resource), Copy>();
        foreach (var read in history.Reads.Where(IsChanges))
        {
            var resource = History.OperationOf(read).Resource;
            if (!read.Path.Contains("&after=", StringComparison.Ordinal)) copies.Remove((read.Client, resource));
            if (!copies.TryGetValue((read.Client, resource), out var copy))
                copies[(read.Client, resource)] = copy = new([], new VersionOrder<int>(history));
            foreach (var sight in read.Seen)
            {
                if (copy.Order.Next(sight.Id, resource, sight) is { } wrong) yield return $"{read} {wrong}";
                copy.Versions[sight.Id] = sight.Version;
            }

            if (read.HasMore) continue;
            foreach (var token in read.Tokens.Where(token => token.Resource == resource))
            {
                if (Missing(history, token, copy.Versions.GetValueOrDefault(token.Id)) is { } missing)
                    yield return $"{read} ends, and {missing}";
            }
        }
    }

    private static bool IsChanges(Attempt read) =>
        read.Outcome == Outcome.Acknowledged && History.OperationOf(read).Verb == "changes";

    private static string? Missing(History history, Saved token, long version)
    {
        var name = $"{token.Resource}/{token.Id}";
        if (token.Version == 0) return version == 0 ? null : $"the copy has {name}, which was deleted";
        var least = history.LeastVersionOf(token);
        if (version >= least) return null;
        var isDeleted = version == 0 && history.LastOf(token.Resource, token.Id)?.Kind == EventKind.Deleted;
        return isDeleted ? null : $"the copy has version {version} of {name} instead of {least}";
    }

    /// <summary>A copy from a request without a cursor; after 410 there is another one.</summary>
    private sealed record Copy(Dictionary<int, long> Versions, VersionOrder<int> Order);
}
