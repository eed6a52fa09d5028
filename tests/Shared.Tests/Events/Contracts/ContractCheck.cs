using System.Text.Json.Nodes;

namespace ApexShop.Shared.Tests.Events.Contracts;

/// <summary>
/// Finds the breaking changes between two versions of a schema: changes that break consumers of the old version, and
/// changes with which old events cannot be read. A new member is not a breaking change if old events may omit it.
/// </summary>
internal static class ContractCheck
{
    // Compared by their own rules, except the text, which is no promise.
    private static readonly string[] own = ["type", "properties", "required", "items", "description"];

    public static IEnumerable<string> Breaks(JsonObject before, JsonObject now, string path = "$") =>
        OfType(before, now, path)
            .Concat(OfMembers(before, now, path))
            .Concat(OfItems(before, now, path))
            .Concat(OfOtherKeywords(before, now, path));

    private static IEnumerable<string> OfType(JsonObject before, JsonObject now, string path)
    {
        var (old, current) = (Types(before), Types(now));
        if (old.SetEquals(current)) yield break;
        if (old.Except(["null"]).ToHashSet().SetEquals(current.Except(["null"])))
        {
            yield return current.Contains("null")
                ? $"{path} is now nullable: consumers that rely on a value break"
                : $"{path} is no longer nullable: old events in which it is null cannot be read";
        }
        else
        {
            yield return $"{path} was {string.Join(" or ", old)} and is now {string.Join(" or ", current)}: "
                + "consumers and old events use the old type";
        }
    }

    private static IEnumerable<string> OfMembers(JsonObject before, JsonObject now, string path)
    {
        var (old, current) = (Members(before), Members(now));
        foreach (var (name, schema) in old)
        {
            if (current[name] is not JsonObject there)
                yield return $"{path}.{name} was removed: consumers read it";
            else
                foreach (var broken in Breaks((JsonObject)schema!, there, $"{path}.{name}")) yield return broken;
        }

        var (oldRequired, required) = (Names(before["required"]), Names(now["required"]));
        foreach (var name in oldRequired.Except(required).Intersect(current.Select(member => member.Key)))
        {
            // Consumers expect null, which is what a missing member means.
            if (Types((JsonObject)current[name]!).Contains("null")) continue;
            yield return $"{path}.{name} is now optional: consumers that rely on it break";
        }

        foreach (var name in required.Except(oldRequired))
        {
            if (Types((JsonObject)current[name]!).Contains("null")) continue;
            yield return
                $"{path}.{name} is now required: old events do not have it; make it nullable or give it a default";
        }
    }

    private static IEnumerable<string> OfItems(JsonObject before, JsonObject now, string path) =>
        before["items"] is JsonObject old && now["items"] is JsonObject current
            ? Breaks(old, current, $"{path}[]")
            : [];

    private static IEnumerable<string> OfOtherKeywords(JsonObject before, JsonObject now, string path) =>
        from keyword in before.Concat(now).Select(member => member.Key).Except(own).Distinct()
        where !JsonNode.DeepEquals(before[keyword], now[keyword])
        select $"{path} had {keyword} {Text(before[keyword])} and has now {Text(now[keyword])}: "
            + "its values change their meaning";

    private static string Text(JsonNode? value) => value?.ToJsonString() ?? "none";

    private static JsonObject Members(JsonObject schema) => (JsonObject?)schema["properties"] ?? [];

    private static HashSet<string> Types(JsonObject schema) => schema["type"] switch
    {
        null => [],
        JsonArray several => Names(several),
        var one => [(string)one!],
    };

    private static HashSet<string> Names(JsonNode? list) =>
        ((JsonArray?)list ?? []).Select(name => (string)name!).ToHashSet();
}
