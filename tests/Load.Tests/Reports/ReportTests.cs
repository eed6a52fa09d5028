using System.Globalization;
using System.Xml.Linq;
using AngleSharp.Html.Dom;
using AngleSharp.Html.Parser;
using ApexShop.Load.Reports;

namespace ApexShop.Load.Tests.Reports;

public sealed class ReportTests
{
    private static readonly RunReport report = SampleRun.Report;

    private readonly IHtmlDocument page = new HtmlParser().ParseDocument(HtmlReport.Write(report));

    [Fact]
    public void The_run_has_all_cases_that_the_formats_must_show()
    {
        report.Scenarios.Select(scenario => scenario.Passed).ShouldBe([true, false, false, false]);
        report.Scenarios.Select(scenario => scenario.Generator.IsLimit).ShouldBe([false, false, true, false]);
        report.Passed.ShouldBeFalse();
        (report with { Scenarios = [report.Scenarios[0]] }).Passed.ShouldBeTrue();
        report.Scenarios[1].Total.Failed.ShouldBeGreaterThan(0);
        report.Scenarios[3].Total.Ok.ShouldBe(0);
        report.Scenarios[0].Total.Megabytes.ShouldBe(report.Scenarios[0].Started * 1_244 / 1e6, 0.0011);
        report.Scenarios[3].Thresholds.Single(threshold => threshold.Goal.StartsWith("p99", StringComparison.Ordinal))
            .ShouldBe(new ThresholdReport("p99 < 1000 ms", null, "ms", false));
    }

    [Fact]
    public void JSON_is_read_back_unchanged()
    {
        var json = JsonReport.Write(report);
        JsonReport.Write(JsonReport.Read(json)).ShouldBe(json);
        JsonReport.Read(json).Scenarios[1].Name.ShouldBe(SampleRun.NastyName);
    }

    [Fact]
    public void CSV_has_a_line_for_every_step_with_the_figures_of_the_JSON()
    {
        var rows = Csv.Read(CsvReport.Write(report));
        rows.ShouldAllBe(row => row.Count == rows[0].Count);
        var steps = report.Scenarios.SelectMany(scenario => Columns.Rows(scenario).Select(step => (scenario, step)))
            .ToList();
        rows.Count.ShouldBe(steps.Count + 1);
        foreach (var ((scenario, step), row) in steps.Zip(rows.Skip(1)))
        {
            string Field(string name) => row[rows[0].IndexOf(name)];
            (Field("scenario"), Field("step")).ShouldBe((scenario.Name, step.Name));
            Field("ok").ShouldBe(step.Ok.ToString(CultureInfo.InvariantCulture));
            Field("failed").ShouldBe(step.Failed.ToString(CultureInfo.InvariantCulture));
            if (step.Ok > 0)
                double.Parse(Field("p99 ms"), CultureInfo.InvariantCulture).ShouldBe(step.Latency.P99, 0.051);
            Field("passed").ShouldBe(scenario.Passed ? "yes" : "no");
            Field("limited by generator").ShouldBe(scenario.Generator.IsLimit ? "yes" : "no");
        }
    }

    [Fact]
    public void HTML_is_one_well_formed_file_without_external_resources()
    {
        var text = HtmlReport.Write(report);
        XDocument.Parse(text).Root!.Name.LocalName.ShouldBe("html");
        page.QuerySelectorAll("script, link, img, iframe, object").ShouldBeEmpty();
        page.QuerySelectorAll("[src], [onclick], [onload]").ShouldBeEmpty();
        page.QuerySelectorAll("[href]").ShouldAllBe(link => link.GetAttribute("href")!.StartsWith('#'));
        page.QuerySelector("style")!.TextContent.ShouldNotContain("url(");
        page.Title.ShouldBe("ApexShop load report");
    }

    [Fact]
    public void HTML_shows_every_figure_of_the_CSV()
    {
        var rows = Csv.Read(CsvReport.Write(report)).Skip(1).ToList();
        var sections = page.QuerySelectorAll("section[id]").ToList();
        sections.Select(section => section.Id).ShouldBe(report.Scenarios.Select(scenario => scenario.Name));
        sections.SelectMany(section => section.QuerySelector("table")!.QuerySelectorAll("tbody tr"))
            .Select(row => row.QuerySelectorAll("td").Select(cell => cell.TextContent).ToList())
            .ShouldBe(rows.Select(row => row[2..^2]));
    }

    [Fact]
    public void HTML_has_charts_within_their_frame()
    {
        page.QuerySelectorAll("section[id]").ShouldAllBe(section => section.QuerySelectorAll("svg").Length == 4);
        foreach (var path in page.QuerySelectorAll("svg path"))
        foreach (var point in path.GetAttribute("d")!.Split(' ', 'M', 'L').Where(part => part.Length > 0).Chunk(2))
        {
            double.Parse(point[0], CultureInfo.InvariantCulture).ShouldBeInRange(0, 460);
            double.Parse(point[1], CultureInfo.InvariantCulture).ShouldBeInRange(0, 200);
        }

        page.QuerySelectorAll("svg").ShouldAllBe(svg => svg.GetAttribute("aria-label")!.Length > 0);
    }

    [Fact]
    public void Markdown_has_the_figures_of_the_CSV_in_whole_tables()
    {
        var lines = MarkdownReport.Write(report).Split('\n').Where(line => line.StartsWith('|')).Select(Cells).ToList();
        var width = Columns.OfSteps.Count;
        lines.Where(line => line.Count == width && line[0] is not ("step" or "---"))
            .ShouldBe(
                Csv.Read(CsvReport.Write(report))
                    .Skip(1)
                    .Select(row => row[2..^2].Select(cell => cell.ReplaceLineEndings(" ")).ToList()));
        lines.ShouldAllBe(line => line.Count == width || line.Count == 3);
    }

    [Fact]
    public void A_figure_of_a_late_generator_always_has_a_warning()
    {
        const string warning = "Limited by the load generator";
        MarkdownReport.Write(report).Split(warning).Length.ShouldBe(2);
        Summary.Of(report).Split(warning).Length.ShouldBe(2);
        page.QuerySelectorAll("section[id] .warning").Single().Closest("section")!.Id.ShouldBe("busy");
        page.QuerySelectorAll("section[id] .warning").Single().TextContent.ShouldStartWith(warning);
    }

    [Fact]
    public void Failures_are_shown_in_every_readable_format()
    {
        var failed = report.Scenarios[1].Steps.Single(step => step.Failed > 0);
        failed.Errors.ShouldBe([new($"status 500 <{SampleRun.NastyName}>", failed.Failed)]);
        page.GetElementById(SampleRun.NastyName)!.TextContent.ShouldContain($"status 500 <{SampleRun.NastyName}>");
        Summary.Of(report).ShouldContain($"{failed.Failed} x take {SampleRun.NastyName}: status 500");
        MarkdownReport.Write(report).ShouldContain($"- {failed.Failed} x take");
    }

    // Splits at the end of a cell and removes the escapes.
    private static List<string> Cells(string line)
    {
        var cells = line.TrimEnd()[1..^1]
            .Replace(@"\\", "\u0001", StringComparison.Ordinal)
            .Replace(@"\|", "\u0002", StringComparison.Ordinal)
            .Split('|');
        return [
            .. cells.Select(
                cell => cell.Trim()
                    .Replace(@"\", "", StringComparison.Ordinal)
                    .Replace('\u0001', '\\')
                    .Replace('\u0002', '|')),
        ];
    }
}
