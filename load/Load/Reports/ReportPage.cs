using System.Xml.Linq;
using static ApexShop.Load.Reports.Html;

namespace ApexShop.Load.Reports;

/// <summary>
/// One page with everything in a folder: the load's report and the benchmarks' output.
/// </summary>
internal static class ReportPage
{
    public const string Verb = "page";
    public const string Name = "index.html";

    private const string BenchPrefix = "bench-";

    public static async Task<string> WriteAsync(string folder, CancellationToken ct)
    {
        var json = Path.Combine(folder, ReportFolder.Json);
        var load = File.Exists(json) ? JsonReport.Read(await File.ReadAllTextAsync(json, ct)) : null;
        var benches = new List<(string Area, BenchText Text)>();
        foreach (var file in Directory.GetFiles(folder, $"{BenchPrefix}*.txt").Order(StringComparer.Ordinal))
            benches.Add((
                Path.GetFileNameWithoutExtension(file)[BenchPrefix.Length..],
                BenchText.Parse(await File.ReadAllTextAsync(file, ct))));

        var page = Path.Combine(folder, Name);
        await File.WriteAllTextAsync(
            page, Write(load, load?.Facts ?? Machine.Facts(TimeProvider.System, "./apexshop report", "-"), benches),
            ct);
        return page;
    }

    public static string Write(RunReport? load, RunFacts facts, IReadOnlyList<(string Area, BenchText Text)> benches) =>
        Page(
        "ApexShop report",
        Tag("h1", "ApexShop report"),
        Tag(
            "p", Class("quiet"),
            "Absolute figures hold for this machine; ratios within one table hold for others too."),
        HtmlReport.Facts(facts),
        load is null
            ? Tag(
                "section", Tag("h2", "Load"),
                Tag("p", Class("warning"), "The load did not finish; its output has the reason."))
            : HtmlReport.Scenarios(load),
        benches.Select(bench => Section(bench.Area, bench.Text)));

    private static XElement Section(string area, BenchText text) => Tag("section", Is("id", $"bench-{area}"),
        Tag("h2", $"bench {area}"),
        Tag("p", Class("quiet"), $"./apexshop bench {area}"),
        text.Tables.Select(table => Table(table.Head, table.Rows.Select(row => row.Select(Cell)))),
        Tag("details",
            text.Tables.Count == 0 ? Is("open", "open") : null,
            Tag("summary", "Other output"),
            Tag("pre", text.Rest)));

    private static object Cell(string text) => text switch
    {
        "met" => Verdict(true, text),
        "MISSED" => Verdict(false, text),
        _ => text,
    };
}
