using System.Text;

namespace ApexShop.Load.Reports;

/// <summary>The summary on the terminal.</summary>
internal static class Summary
{
    public static string Of(RunReport report)
    {
        var text = new StringBuilder();
        text.AppendLine().AppendLine($"{"scenario",-30}{"ok",8}{"failed",8}{"ok/s",9}{"p50 ms",9}{"p99 ms",9}  goals");
        foreach (var scenario in report.Scenarios)
        {
            var total = scenario.Total;
            text.Append($"{scenario.Name,-30}{total.Ok,8}{total.Failed,8}{Columns.Number(total.OkPerSecond, "0.0"),9}");
            text.Append($"{Columns.Milliseconds(total.Latency.P50),9}{Columns.Milliseconds(total.Latency.P99),9}  ");
            text.AppendLine(scenario.Passed ? "met" : "MISSED");
            foreach (var missed in scenario.Thresholds.Where(threshold => !threshold.Met))
                text.AppendLine($"    {missed.Goal}: {Columns.Measured(missed)}");
            foreach (var step in scenario.Steps)
            foreach (var (message, count) in step.Errors)
                text.AppendLine($"    {count} x {step.Name}: {message}");
            foreach (var warning in scenario.Generator.Warnings()) text.AppendLine($"    {warning}");
        }

        return text.ToString();
    }
}
