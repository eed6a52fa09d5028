namespace ApexShop.Load.Reports;

/// <summary>Writes the four report files of a run.</summary>
internal static class ReportFolder
{
    public const string Json = "report.json";
    public const string Html = "report.html";

    public static async Task WriteAsync(string folder, RunReport report)
    {
        Directory.CreateDirectory(folder);
        // Without a token: the report is written even after a cancelled run.
        await File.WriteAllTextAsync(Path.Combine(folder, Html), HtmlReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, "report.md"), MarkdownReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, "report.csv"), CsvReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, Json), JsonReport.Write(report));
    }
}
