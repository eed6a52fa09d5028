using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class VersionCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var last = new Dictionary<(string, int), LogEvent>();
        foreach (var one in history.Log)
        {
            var before = last.GetValueOrDefault((one.Resource, one.Aggregate));
            var expected = (before?.Version ?? 0) + 1;
            if (one.Version != expected) yield return $"{one} instead of version {expected}";
            if (before?.Kind == EventKind.Deleted) yield return $"{one} follows the deletion";
            if (one.Kind == EventKind.Created != before is null)
                yield return $"{one} {(before is null ? "is the first event" : "is created again")}";
            last[(one.Resource, one.Aggregate)] = one;
        }
    }
}
