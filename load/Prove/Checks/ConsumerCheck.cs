using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ConsumerCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var log = history.Log.DistinctBy(one => one.Position).ToDictionary(one => one.Position);
        foreach (var consumer in history.Rest.Consumers)
        {
            var expected = history.Log
                .Where(one => one.Position > history.Header.Base
                    && (consumer.Resource is null || one.Resource == consumer.Resource))
                .Select(one => one.Position)
                .ToList();
            var same = expected.Zip(consumer.Positions).TakeWhile(pair => pair.First == pair.Second).Count();
            foreach (var wrong in OtherEvents(history, log, consumer)) yield return wrong;
            if (same == expected.Count && same == consumer.Positions.Count) continue;
            var (wanted, found) = (expected.Skip(same).Cast<long?>(), consumer.Positions.Skip(same).Cast<long?>());
            yield return $"{consumer.Source} has {Print(found.FirstOrDefault())} after {same} events, "
                + $"the log has {Print(wanted.FirstOrDefault())}";
        }
    }

    // What an erasure has rewritten since was received before or after it.
    private static IEnumerable<string> OtherEvents(
        History history, Dictionary<long, LogEvent> log, Consumed consumer) =>
        from received in consumer.Positions.Zip(consumer.Digests ?? [])
        let one = log.GetValueOrDefault(received.First)
        where one is not null && one.Digest != received.Second && !history.IsRewritten(one)
        select $"{consumer.Source} has another event than {one}";

    private static string Print(long? position) =>
        position?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "nothing";
}
