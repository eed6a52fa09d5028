using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class IfMatchCheck
{
    public static IEnumerable<string> Find(History history) => [.. OfHeaders(history), .. OfItems(history)];

    private static IEnumerable<string> OfHeaders(History history)
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

    private static IEnumerable<string> OfItems(History history) =>
        from attempt in history.Writes
        where attempt.Sent is not null && History.OperationOf(attempt).Effect == Effect.BulkReplace
        from item in JsonElement.Parse(attempt.Sent!).EnumerateArray()
        where item.TryGetProperty("version", out var version) && version.ValueKind == JsonValueKind.Number
        from one in history.OwnEventsOf(attempt)
        where one.Aggregate == item.GetProperty("id").GetInt32()
            && one.Version != item.GetProperty("version").GetInt64() + 1
        select $"{attempt} named version {item.GetProperty("version")} of an item and made {one}";
}
