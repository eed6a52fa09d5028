using System.Globalization;

namespace ApexShop.Load.Scaling;

/// <summary>A figure of each size, smallest first; one that may not grow is flat.</summary>
internal sealed record SizeRow(string What, string Unit, string Format, bool IsFlat, IReadOnlyList<double> Values)
{
    private const double Goal = 1.3;

    public double Ratio => Values[^1] / Values[0];

    public bool Missed => IsFlat && Ratio > Goal;

    /// <summary>As a row of a Markdown table.</summary>
    public override string ToString()
    {
        var values = Values.Select(value => value.ToString(Format, CultureInfo.InvariantCulture));
        var result = Values.Count == 1 || !IsFlat ? "-" : Missed ? "MISSED" : "met";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {What}, {Unit} | {string.Join(" | ", values)} | {Ratio:0.00} | {result} |");
    }

    public static string Heading(IEnumerable<int> sizes)
    {
        var columns = sizes.Select(size => size.ToString("N0", CultureInfo.InvariantCulture)).ToList();
        return $"| what | {string.Join(" | ", columns)} | last / first | at most 1.30 |\n"
            + $"|---|{string.Concat(columns.Select(_ => "---|"))}---|---|";
    }
}
