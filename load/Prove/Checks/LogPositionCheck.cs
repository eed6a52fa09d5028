using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class LogPositionCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var ids = new HashSet<string>(history.Log.Count);
        var expected = 1L;
        foreach (var one in history.Log)
        {
            if (one.Position != expected) yield return $"{one} instead of {expected}";
            if (!ids.Add(one.Id)) yield return $"{one} has the id of an earlier event";
            if (one.LogId != history.Log[0].LogId) yield return $"{one} has another log identity";
            expected = one.Position + 1;
        }
    }
}
