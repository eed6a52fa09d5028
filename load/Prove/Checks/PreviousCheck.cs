using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class PreviousCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var last = new Dictionary<string, long>();
        foreach (var one in history.Log)
        {
            var expected = last.GetValueOrDefault(one.Resource);
            if (one.Previous != expected) yield return $"{one} has previous {one.Previous} instead of {expected}";
            last[one.Resource] = one.Position;
        }
    }
}
