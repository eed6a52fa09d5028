using System.Globalization;
using System.Xml.Linq;
using ApexShop.Load.Running;
using static ApexShop.Load.Reports.Html;

namespace ApexShop.Load.Reports;

internal static class HtmlReport
{
    public static string Write(RunReport report) => Page(
        "ApexShop load report",
        Tag("h1", "Load report"),
        Facts(report.Facts),
        Scenarios(report));

    public static XElement Facts(RunFacts facts) => Tag("section", Tag("table", Class("facts"),
        Machine.Rows(facts).Select(row => Tag("tr", Tag("th", row.Name), Tag("td", row.Value)))));

    /// <summary>The overview and a section for each scenario.</summary>
    public static IEnumerable<XElement> Scenarios(RunReport report) =>
    [
        Tag("section",
            Tag("h2", "Overview"),
            Tag(
                "p", Class("quiet"),
                "Latencies count from the moment a request was due, service times from the moment it was sent."),
            Table(
                ["scenario", "ok", "failed", "ok/s", "p50 ms", "p99 ms", "max ms", "goals", "generator"],
                report.Scenarios.Select(Overview))),
        .. report.Scenarios.Select(Section),
    ];

    private static IEnumerable<object> Overview(ScenarioReport scenario)
    {
        var total = scenario.Total;
        string Time(double value) => total.Ok == 0 ? "-" : Columns.Milliseconds(value);
        return
        [
            Tag("a", Is("href", $"#{scenario.Name}"), scenario.Name),
            Columns.Number(total.Ok), Columns.Number(total.Failed), Columns.Number(total.OkPerSecond, "0.0"),
            Time(total.Latency.P50), Time(total.Latency.P99), Time(total.Latency.Max),
            Verdict(scenario.Passed, scenario.Passed ? "met" : "MISSED"),
            scenario.Generator.IsLimit ? Verdict(false, "LIMIT") : "in time",
        ];
    }

    private static XElement Section(ScenarioReport scenario) => Tag("section", Is("id", scenario.Name),
        Tag("h2", scenario.Name),
        Tag("p", scenario.Description),
        Tag("p", Class("quiet"), string.Join("; ", scenario.Simulations)),
        scenario.Generator.Warnings().Select(warning => Tag("p", Class("warning"), warning)),
        Table(
            Columns.OfSteps.Select(column => column.Name),
            Columns.Rows(scenario).Select(step => Columns.OfSteps.Select(column => column.Value(step)))),
        Table(["goal", "measured", ""], scenario.Thresholds.Select(threshold => (IEnumerable<object>)
            [threshold.Goal, Columns.Measured(threshold), Verdict(threshold.Met, threshold.Met ? "met" : "MISSED")])),
        Errors(scenario),
        Charts(scenario),
        Tag("p", Class("quiet"), string.Create(
            CultureInfo.InvariantCulture,
            $"Generator: {scenario.Generator.LatePercent:0.0} % of its starts late, "
            + $"p99 {scenario.Generator.LatenessP99:0.0} ms behind the plan, "
            + $"{scenario.Generator.Cores:0.00} cores used.")));

    private static XElement? Errors(ScenarioReport scenario)
    {
        var rows = scenario.Steps
            .SelectMany(step => step.Errors, (step, error) =>
                (IEnumerable<object>)[step.Name, error.Key, Columns.Number(error.Value)])
            .ToList();
        return rows.Count == 0 ? null : Table(["failed step", "why", "times"], rows);
    }

    private static XElement? Charts(ScenarioReport scenario)
    {
        if (scenario.Series.Count < 2) return null;
        Curve Of(string name, string style, Func<SecondPoint, double?> value) =>
            new(name, style, [.. scenario.Series.Select(point => (point.Second, value(point)))]);
        Curve Rate(string name, string style, Func<SecondPoint, long> count) =>
            new(name, style,
            [
                .. scenario.Series.Select((point, index) => (point.Second, PerSecond(scenario.Series, index, count))),
            ]);
        return Tag("div", Class("charts"),
            Chart.Lines("Iterations a second", "a second",
                [
                    Rate("started", "c", point => point.Started), Rate("ok", "a", point => point.Ok),
                    Rate("failed", "b", point => point.Failed),
                ]),
            Chart.Lines(
                "Latency in ms, by second", "ms",
                [Of("p99", "b", point => point.P99), Of("p50", "a", point => point.P50)]),
            Chart.Lines(
                "Latency in ms, by percent of all", "ms",
                [
                    Distribution("latency", "b", scenario.Total.Latency),
                    Distribution("service", "a", scenario.Total.Service),
                ]),
            Chart.Lines("In flight", "iterations", [Of("in flight", "a", point => point.InFlight)]));
    }

    // The last point covers a part of a second: a very short part gives no rate.
    private static double? PerSecond(IReadOnlyList<SecondPoint> series, int index, Func<SecondPoint, long> count)
    {
        var seconds = series[index].Second - (index > 0 ? series[index - 1].Second : 0);
        return seconds >= 0.5 ? count(series[index]) / seconds : null;
    }

    private static Curve Distribution(string name, string style, Times times) => new(name, style,
    [
        (0, times.Min), (50, times.P50), (75, times.P75), (90, times.P90), (95, times.P95), (99, times.P99),
        (99.9, times.P999), (100, times.Max),
    ]);
}
