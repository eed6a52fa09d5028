using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class RealTimeCheck
{
    public static IEnumerable<string> Find(History history)
    {
        Attempt? latest = null;
        foreach (var one in history.Log)
        {
            if (history.AttemptOf(one.Trace) is not { } attempt) continue;
            // An attempt without an answer may have been committed after its client gave up.
            if (latest is not null && attempt.Outcome == Outcome.Acknowledged && attempt.End < latest.Start)
                yield return $"{one} was acknowledged before {latest} began, and is behind it";
            if (latest is null || attempt.Start > latest.Start) latest = attempt;
        }
    }
}
