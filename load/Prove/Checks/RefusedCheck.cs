using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class RefusedCheck
{
    public static IEnumerable<string> Find(History history) =>
        from attempt in history.Attempts
        where attempt.Outcome == Outcome.Refused
        from one in history.EventsOf(attempt.Trace).Take(1)
        select $"{attempt} has {one}";
}
