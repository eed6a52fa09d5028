namespace ApexShop.Load.Reports;

/// <summary>The four files of a run.</summary>
internal static class ReportFolder
{
    public const string Json = "report.json";
    public const string Html = "report.html";

    public static async Task WriteAsync(string folder, RunReport report)
    {
        Directory.CreateDirectory(folder);
        // Written even when the run was slow to end: nothing cancels it any more.
        await File.WriteAllTextAsync(Path.Combine(folder, Html), HtmlReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, "report.md"), MarkdownReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, "report.csv"), CsvReport.Write(report));
        await File.WriteAllTextAsync(Path.Combine(folder, Json), JsonReport.Write(report));
    }
}
