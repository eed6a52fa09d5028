using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class SessionCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var order = new VersionOrder<(int Client, string Resource, int Id)>(history);
        foreach (var read in history.Reads.Where(read => read.Outcome == Outcome.Acknowledged && read.Tokens.Count > 0))
        {
            var resource = History.OperationOf(read).Resource;
            var promised = read.Tokens.Where(token => token.Resource == resource).Select(token => token.Id).ToHashSet();
            foreach (var sight in read.Seen.Where(sight => promised.Contains(sight.Id)))
            {
                if (order.Next((read.Client, resource, sight.Id), resource, sight) is { } wrong)
                    yield return $"{read} {wrong}";
            }
        }
    }
}
