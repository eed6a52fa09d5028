using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ErasureCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var erased = history.ErasuresWhere(attempt => attempt.Outcome == Outcome.Acknowledged).ToHashSet();
        return
            from one in history.Log
            where one.Kind != EventKind.Deleted && History.PersonOf(one) is { } person && erased.Contains(person)
            where !IsErased(one)
            select $"{one} has values of user {History.PersonOf(one)}, whose erasure was acknowledged";
    }

    private static bool IsErased(LogEvent one) => one.State is
        { IsErased: true, Phone: "", Tracking: "", LoggedIn: null } && (one.Resource != Kinds.Users
        || one.State.Name == string.Create(CultureInfo.InvariantCulture, $"erased-{one.Aggregate}@erased.invalid"));
}
