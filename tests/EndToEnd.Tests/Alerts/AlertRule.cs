using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace ApexShop.EndToEnd.Tests.Alerts;

/// <summary>A rule as Prometheus has read it.</summary>
internal sealed partial class AlertRule(JsonNode rule)
{
    public string Name { get; } = (string)rule["name"]!;

    public string Query { get; } = (string)rule["query"]!;

    /// <summary>How long the condition must hold.</summary>
    public TimeSpan For { get; } = TimeSpan.FromSeconds((double)rule["duration"]!);

    /// <summary>Whether the last evaluation succeeded.</summary>
    public bool IsOk { get; } = (string)rule["health"]! == "ok";

    public string Severity { get; } = (string)rule["labels"]!["severity"]!;

    public string Summary { get; } = (string)rule["annotations"]!["summary"]!;

    /// <summary>What to do; it ends with the section of docs/operations.md to read.</summary>
    public string Description { get; } = (string)rule["annotations"]!["description"]!;

    /// <summary>The section of docs/operations.md, or the beginning of its name.</summary>
    public string Section => ReadSection().Match(Description).Groups[1].Value;

    /// <summary>The names of the metrics that it reads.</summary>
    public IEnumerable<string> Metrics => Names().Matches(Query).Select(match => match.Groups["name"].Value)
        .Where(name => name is not ("" or "or" or "and" or "unless" or "offset"))
        .Distinct();

    /// <summary>The labels by which it selects series of a metric.</summary>
    public IEnumerable<(string Metric, string Label)> Labels =>
        from selector in Selectors().Matches(Query)
        from label in LabelNames().Matches(selector.Groups["labels"].Value)
        select (selector.Groups["name"].Value, label.Groups[1].Value);

    // Texts, labels, ranges and functions are skipped; every other word is the name of a metric.
    [GeneratedRegex("""
        "[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) ?\([^)]*\)|\b(?<name>[a-z_]+)\b(?! ?(\(|by\b))
        """)]
    private static partial Regex Names();

    [GeneratedRegex(@"(?<name>\w+)\{(?<labels>[^}]*)\}")]
    private static partial Regex Selectors();

    [GeneratedRegex("""(\w+)(=|!=|=~|!~)["]""")]
    private static partial Regex LabelNames();

    [GeneratedRegex("""Read "([^"]+)" in docs/operations\.md\.$""")]
    private static partial Regex ReadSection();
}
