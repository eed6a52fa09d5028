using System.Globalization;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>
/// The measured results: in the test's output, and in the file that <c>./apexshop test</c> shows at the end.
/// </summary>
internal sealed class FaultReport(ITestOutputHelper output)
{
    private static readonly string? file = Environment.GetEnvironmentVariable("APEXSHOP_FAULT_REPORT");

    public void Write(string line)
    {
        output.WriteLine(line);
        if (file is not null) File.AppendAllText(file, line + "\n");
    }

    /// <summary>Median and range of the measured times.</summary>
    public static string Seconds(IEnumerable<TimeSpan> times)
    {
        var sorted = times.Select(time => time.TotalSeconds).Order().ToList();
        if (sorted.Count == 1) return string.Create(CultureInfo.InvariantCulture, $"{sorted[0]:0.00} s");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"median {sorted[sorted.Count / 2]:0.00} s, {sorted[0]:0.00} to {sorted[^1]:0.00} s");
    }
}
