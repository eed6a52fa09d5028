using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class LoginCheck
{
    public static IEnumerable<string> Find(History history)
    {
        foreach (var login in history.Writes.Where(one => History.OperationOf(one).Effect == Effect.Login))
        {
            var one = history.OwnEventsOf(login).FirstOrDefault();
            if (login.HasWrongPassword && (one is not null || login.Outcome == Outcome.Acknowledged))
                yield return $"{login} has a wrong password and is accepted";
            if (login.LoggedIn is { } customer && customer != login.Asked[0])
                yield return $"{login} of user {login.Asked[0]} is answered with a token of user {customer}";
            if (one is { State.IsActive: false }) yield return $"{login} is accepted, and {one} is of no active user";
        }
    }
}
