using System.Text.Json.Nodes;

namespace ApexShop.Shared.Tests.Contracts;

/// <summary>
/// What a change of a schema breaks, in words: for consumers, who go by the old one, and for us, who read the events that
/// were written by it. New members are no break as long as old events may lack them.
/// </summary>
internal static class ContractCheck
{
    private static readonly string[] understood = ["type", "properties", "required", "items"];

    public static IEnumerable<string> Breaks(JsonObject before, JsonObject now, string path = "$") =>
        OfType(before, now, path).Concat(OfMembers(before, now, path)).Concat(OfItems(before, now, path)).Concat(OfTheRest(before, now, path));

    private static IEnumerable<string> OfType(JsonObject before, JsonObject now, string path)
    {
        var (old, current) = (Types(before), Types(now));
        if (old.SetEquals(current)) yield break;
        if (old.Except(["null"]).ToHashSet().SetEquals(current.Except(["null"])))
        {
            yield return current.Contains("null")
                ? $"{path} may be null now: consumers that rely on it break"
                : $"{path} may not be null any more: events in which it is null can no longer be read";
        }
        else
        {
            yield return $"{path} was {string.Join(" or ", old)} and is {string.Join(" or ", current)} now: consumers and old events have the other";
        }
    }

    private static IEnumerable<string> OfMembers(JsonObject before, JsonObject now, string path)
    {
        var (old, current) = (Members(before), Members(now));
        foreach (var (name, schema) in old)
        {
            if (current[name] is not JsonObject there) yield return $"{path}.{name} is gone: consumers read it";
            else foreach (var wrong in Breaks((JsonObject)schema!, there, $"{path}.{name}")) yield return wrong;
        }

        var (needed, needs) = (Names(before["required"]), Names(now["required"]));
        foreach (var name in needed.Except(needs).Intersect(current.Select(member => member.Key))) yield return $"{path}.{name} may be missing now: consumers that rely on it break";
        foreach (var name in needs.Except(needed).Where(name => !Types((JsonObject)current[name]!).Contains("null")))
            yield return $"{path}.{name} is required now: events that were written before do not have it; let it be null or give it a default";
    }

    private static IEnumerable<string> OfItems(JsonObject before, JsonObject now, string path) =>
        before["items"] is JsonObject old && now["items"] is JsonObject current ? Breaks(old, current, $"{path}[]") : [];

    private static IEnumerable<string> OfTheRest(JsonObject before, JsonObject now, string path) =>
        from word in before.Concat(now).Select(member => member.Key).Except(understood).Distinct()
        where !JsonNode.DeepEquals(before[word], now[word])
        select $"{path} had {word} {before[word]?.ToJsonString() ?? "none"} and has {now[word]?.ToJsonString() ?? "none"} now: what is written there means something else";

    private static JsonObject Members(JsonObject schema) => (JsonObject?)schema["properties"] ?? [];

    private static HashSet<string> Types(JsonObject schema) => schema["type"] is JsonArray several ? Names(several) : schema["type"] is { } one ? [(string)one!] : [];

    private static HashSet<string> Names(JsonNode? list) => ((JsonArray?)list ?? []).Select(name => (string)name!).ToHashSet();
}
