using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class RefusedCheck
{
    public static IEnumerable<string> Find(History history) =>
        from attempt in history.Attempts
        where attempt.Outcome == Outcome.Refused
        // An erasure that is refused may have erased orders: the user got another one meanwhile.
        let isErasure = History.OperationOf(attempt).Effect == Effect.Erase
        from one in (isErasure ? history.OwnEventsOf(attempt) : history.EventsOf(attempt.Trace)).Take(1)
        select $"{attempt} has {one}";
}
