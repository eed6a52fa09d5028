using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Faults;

/// <summary>Reads what became of a command of an operator from its response.</summary>
internal static class OperatorReplyReader
{
    private const int Named = 5;

    public static OperatorReply Read(string command, int status, string text)
    {
        var reply = new OperatorReply(command, status);
        // An audit is lines; the last one is its summary or its failure.
        if (text.Split('\n', StringSplitOptions.RemoveEmptyEntries) is not [.. var lines, ['{', ..] last]) return reply;
        var json = JsonElement.Parse(last);
        return reply with { Code = Text(json, "code"), Result = ResultOf(json, lines) };
    }

    private static string? ResultOf(JsonElement json, string[] lines)
    {
        if (Text(json, "failure") is { } failure) return $"failed: {failure}";
        if (Text(json, "outcome") is "refused") return $"refused: {Text(json, "reason")}";
        return json.TryGetProperty("different", out var different) && different.GetInt64() is > 0 and var count
            ? $"found {count} differences: {string.Join(", ", Differences(lines).Take(Named))}"
            : null;
    }

    private static IEnumerable<string> Differences(string[] lines) =>
        lines.Where(line => Text(JsonElement.Parse(line), "kind") == "difference");

    private static string? Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
