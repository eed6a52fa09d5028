using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ConsumerCheck
{
    public static IEnumerable<string> Find(History history)
    {
        foreach (var consumer in history.Rest.Consumers)
        {
            var expected = history.Log
                .Where(one => one.Position > history.Header.Base
                    && (consumer.Resource is null || one.Resource == consumer.Resource))
                .Select(one => one.Position)
                .ToList();
            var same = expected.Zip(consumer.Positions).TakeWhile(pair => pair.First == pair.Second).Count();
            if (same == expected.Count && same == consumer.Positions.Count) continue;
            var (wanted, found) = (expected.Skip(same).Cast<long?>(), consumer.Positions.Skip(same).Cast<long?>());
            yield return $"{consumer.Source} has {Print(found.FirstOrDefault())} after {same} events, "
                + $"the log has {Print(wanted.FirstOrDefault())}";
        }
    }

    private static string Print(long? position) =>
        position?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "nothing";
}
