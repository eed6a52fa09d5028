using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class OriginCheck
{
    private const string Customers = "users/";
    private const string Customer = "customer";

    public static IEnumerable<string> Find(History history) =>
        from one in history.Log
        where one.Position > history.Header.Base
        let wrong = Compare(history, one, history.AttemptOf(one.Trace))
        where wrong is not null
        select $"{one} {wrong}";

    private static string? Compare(History history, LogEvent one, Attempt? attempt)
    {
        var needsRequest = history.Header.Exclusive && one.Actor != LogEvent.Shop;
        if (attempt is null) return needsRequest ? $"has no request (trace {one.Trace})" : null;
        if (!History.OperationOf(attempt).Permits(one)) return $"cannot come from {attempt}";
        var isRight = attempt.Customer is { } customer
            ? one.Actor == NameOf(customer, one.Resource)
            : one.Actor != Customer && !one.Actor.StartsWith(Customers, StringComparison.Ordinal);
        return isRight ? null : $"names {one.Actor} as its actor, and comes from {attempt}";
    }

    // What everyone may read does not show which customer it was.
    private static string NameOf(int customer, string resource) => resource is Kinds.Orders or Kinds.Users
        ? string.Create(CultureInfo.InvariantCulture, $"{Customers}{customer}")
        : Customer;
}
