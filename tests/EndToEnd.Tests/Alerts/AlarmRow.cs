using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Alerts;

/// <summary>A row of the table of metrics in docs/operations.md: what to alarm on, and where to read then.</summary>
internal sealed partial record AlarmRow(string Metric, string When, string Section)
{
    public static string Page { get; } =
        File.ReadAllText(Path.Combine(Repository.Root, "docs", "operations.md"));

    /// <summary>The rows that have an alarm.</summary>
    public static IReadOnlyList<AlarmRow> All { get; } =
    [
        .. Page.Split('\n')
            .SkipWhile(line => !line.StartsWith("| metric |", StringComparison.Ordinal))
            .Skip(2)
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries))
            .Select(cells => new AlarmRow(cells[1].Trim('`'), cells[4], cells[5]))
            .Where(row => row.When.Length > 0),
    ];

    /// <summary>Every alert that the page names.</summary>
    public static IEnumerable<string> Names =>
        AlertName().Matches(Page).Select(match => match.Groups[1].Value).Distinct();

    public static IEnumerable<string> Headings => Page.Split('\n')
        .Where(line => line.StartsWith("## ", StringComparison.Ordinal)).Select(line => line[3..]);

    /// <summary>Paragraphs outside of the table that ask for an alarm.</summary>
    public static IEnumerable<string> Paragraphs =>
        Page.Split("\n\n").Where(text => !text.StartsWith('|') && Alarm().IsMatch(text));

    public string Name => AlertName().Match(When).Groups[1].Value;

    /// <summary>The end of the rule's expression: "over 10,000" is "> 10000".</summary>
    public string Limit
    {
        get
        {
            if (Grows) return "> 0";
            var match = LimitText().Match(When);
            match.Success.ShouldBeTrue($"{Metric}: {When}");
            var sign = match.Groups["sign"].Value switch { "over" => ">", "under" => "<", "is not" => "!=", _ => "==" };
            var number = decimal.Parse(match.Groups["number"].Value, CultureInfo.InvariantCulture);
            if (match.Groups["percent"].Success) number /= 100;
            return string.Create(CultureInfo.InvariantCulture, $"{sign} {number}");
        }
    }

    public bool Grows => When.Contains("grows", StringComparison.Ordinal);

    /// <summary>How long the condition must hold.</summary>
    public TimeSpan For
    {
        get
        {
            var match = ForText().Match(When);
            if (!match.Success) return TimeSpan.Zero;
            var number = int.Parse(match.Groups["number"].Value, CultureInfo.InvariantCulture);
            return match.Groups["unit"].Value == "s" ? TimeSpan.FromSeconds(number) : TimeSpan.FromMinutes(number);
        }
    }

    [GeneratedRegex("`(ApexShop[A-Z][A-Za-z]+)`")]
    private static partial Regex AlertName();

    [GeneratedRegex(@"\b(?<sign>over|under|is not|is) (?<number>\d[\d,]*)(?<percent> %)?")]
    private static partial Regex LimitText();

    [GeneratedRegex(@" for (?<number>\d+) (?<unit>s|min)\b")]
    private static partial Regex ForText();

    [GeneratedRegex(@"\balarm (on|when)\b")]
    private static partial Regex Alarm();
}
