using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class IfMatchCheck
{
    public static IEnumerable<string> Find(History history)
    {
        foreach (var attempt in history.Writes.Where(attempt => attempt.IfMatch is not null))
        {
            var expected = attempt.IfMatch!.Value;
            foreach (var one in history.OwnEventsOf(attempt).Where(one => one.Version != expected + 1))
                yield return $"{attempt} named version {expected} and made {one}";
            if (attempt.Outcome == Outcome.Acknowledged && attempt.Key is null
                && attempt.Saved.Count == 1 && !history.OwnEventsOf(attempt).Any()
                && attempt.Saved[0].Version != expected)
                yield return $"{attempt} named version {expected} and was answered with {attempt.Saved[0].Version}";
            if (attempt.Status == 412 && attempt.Current == expected)
                yield return $"{attempt} was refused although version {expected} is the current one";
        }
    }
}
