using System.Globalization;

namespace ApexShop.Load.WriteSide;

/// <summary>A row of the result; a figure without a goal is only reported.</summary>
internal sealed record Figure(string What, string Goal, string Measured, string Spread, bool Missed)
{
    private const string None = "-";

    /// <summary>
    /// The first series over the second, round by round: rates that should not fall below, times that should not rise
    /// above.
    /// </summary>
    public static Figure OfRatio(string what, IReadOnlyList<double> ratios, string goal, Func<double, bool> reached) =>
        new(
        what, goal, Text(Statistics.Median(ratios)), $"{Text(ratios.Min())} to {Text(ratios.Max())}",
        !reached(Statistics.Median(ratios)));

    /// <summary>The same without a goal.</summary>
    public static Figure OfRatio(string what, IReadOnlyList<double> ratios) => OfRatio(what, ratios, None, _ => true);

    /// <summary>Values of a unit; the goal is the largest median that meets it.</summary>
    public static Figure Of(
        string what, string unit, string format, IReadOnlyList<double> values, double? goal = null) => new(
        what, goal is { } most ? $"at most {Number(most, format)} {unit}" : None,
        $"{Number(Statistics.Median(values), format)} {unit}",
        $"{Number(values.Min(), format)} to {Number(values.Max(), format)}", Statistics.Median(values) > goal);

    public static Figure OfLatency(string what, IReadOnlyList<double> milliseconds) => new(
        what,
        None,
        $"p50 {Number(Statistics.Median(milliseconds), "0.0")} ms, p99 "
        + $"{Number(Statistics.Percentile(milliseconds, 0.99), "0.0")} ms",
        $"{Number(milliseconds.Min(), "0.0")} to {Number(milliseconds.Max(), "0.0")} ms",
        false);

    /// <summary>
    /// Writes a Markdown table of the figures; 0 when every goal is reached and 1 when one is missed.
    /// </summary>
    public static async Task<int> WriteAsync(TextWriter output, IReadOnlyList<Figure> figures)
    {
        await output.WriteLineAsync("\n| what | goal | median | range | |\n|---|---|---|---|---|");
        foreach (var figure in figures) await output.WriteLineAsync(figure.ToString());
        return figures.Any(figure => figure.Missed) ? 1 : 0;
    }

    /// <summary>As a row of a Markdown table.</summary>
    public override string ToString() =>
        $"| {What} | {Goal} | {Measured} | {Spread} | {(Goal == None ? None : Missed ? "MISSED" : "met")} |";

    public static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);

    private static string Text(double ratio) => Number(ratio, "0.00");
}
