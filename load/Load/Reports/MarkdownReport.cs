using System.Text;

namespace ApexShop.Load.Reports;

internal static class MarkdownReport
{
    public static string Write(RunReport report)
    {
        var text = new StringBuilder();
        text.AppendLine("# Load report").AppendLine();
        foreach (var (name, value) in Machine.Rows(report.Facts)) text.AppendLine($"- {name}: {Cell(value)}");
        text.AppendLine()
            .AppendLine(
                "Latencies count from the moment a request was due, service times from the moment it was sent.");
        foreach (var scenario in report.Scenarios) Append(text, scenario);
        return text.ToString();
    }

    private static void Append(StringBuilder text, ScenarioReport scenario)
    {
        text.AppendLine().AppendLine($"## {Cell(scenario.Name)}").AppendLine();
        text.AppendLine($"{Cell(scenario.Description)}. {Cell(string.Join("; ", scenario.Simulations))}.").AppendLine();
        foreach (var warning in scenario.Generator.Warnings()) text.AppendLine($"**{warning}**").AppendLine();
        Row(text, Columns.OfSteps.Select(column => column.Name));
        Row(text, Columns.OfSteps.Select((_, index) => index == 0 ? "---" : "---:"));
        foreach (var step in Columns.Rows(scenario)) Row(text, Columns.OfSteps.Select(column => column.Value(step)));
        text.AppendLine();
        Row(text, ["goal", "measured", ""]);
        Row(text, ["---", "---:", "---"]);
        foreach (var threshold in scenario.Thresholds)
            Row(text, [threshold.Goal, Columns.Measured(threshold), threshold.Met ? "met" : "MISSED"]);
        foreach (var (message, count) in scenario.Steps.SelectMany(
            step => step.Errors.Select(error => ($"{step.Name}: {error.Key}", error.Value))))
            text.AppendLine().AppendLine($"- {count} x {Cell(message)}");
    }

    private static void Row(StringBuilder text, IEnumerable<string> cells) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(Cell)).AppendLine(" |");

    // Escapes what would end a cell, start a tag or emphasise.
    private static string Cell(string text)
    {
        var cell = new StringBuilder();
        foreach (var one in text.ReplaceLineEndings(" "))
        {
            if (one is '|' or '<' or '>' or '`' or '*' or '[' or ']' or '\\') cell.Append('\\');
            cell.Append(one);
        }

        return cell.ToString();
    }
}
