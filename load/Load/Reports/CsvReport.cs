using System.Text;

namespace ApexShop.Load.Reports;

/// <summary>One line for every step of every scenario (RFC 4180).</summary>
internal static class CsvReport
{
    public static string Write(RunReport report)
    {
        var text = new StringBuilder();
        Line(
            text,
            ["scenario", "group", .. Columns.OfSteps.Select(column => column.Name), "passed", "limited by generator"]);
        foreach (var scenario in report.Scenarios)
        foreach (var step in Columns.Rows(scenario))
        {
            Line(text,
            [
                scenario.Name, scenario.Group, .. Columns.OfSteps.Select(column => column.Value(step)),
                scenario.Passed ? "yes" : "no", scenario.Generator.IsLimit ? "yes" : "no",
            ]);
        }

        return text.ToString();
    }

    private static void Line(StringBuilder text, IEnumerable<string> fields) =>
        text.AppendJoin(',', fields.Select(Field)).Append("\r\n");

    private static string Field(string text) =>
        text.AsSpan().IndexOfAny(",\"\r\n") < 0 ? text : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
