using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class MonotonicCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var order = new VersionOrder<(int Client, string Process, string Path, int Id)>(history);
        var reads = history.Reads.Where(read => read.Outcome == Outcome.Acknowledged && read.Tokens.Count == 0);
        foreach (var read in reads)
        {
            foreach (var sight in read.Seen)
            {
                var key = (read.Client, read.Process, read.Path, sight.Id);
                if (order.Next(key, History.OperationOf(read).Resource, sight) is { } wrong)
                    yield return $"{read} {wrong}";
            }
        }
    }
}
