using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class OriginCheck
{
    public static IEnumerable<string> Find(History history) =>
        from one in history.Log
        where one.Position > history.Header.Base
        let attempt = history.AttemptOf(one.Trace)
        where attempt is null
            ? history.Header.Exclusive && one.Actor != LogEvent.Shop
            : !History.OperationOf(attempt).Permits(one)
        select attempt is null ? $"{one} has no request (trace {one.Trace})" : $"{one} cannot come from {attempt}";
}
