using System.Xml.Linq;
using AngleSharp.Html.Parser;
using ApexShop.Load.Reports;

namespace ApexShop.Load.Tests.Reports;

public sealed class ReportPageTests
{
    private const string Bench =
        """
        post:
          pair 3 of 15: plain 9.0 <ms>

        | what | goal | median | range | |
        |---|---|---|---|---|
        | POST, rate & more | at least 0.70 | 0.72 | 0.65 to 1.01 | met |
        | PATCH | at most 3.00 | 3.71 | 1.77 to 4.18 | MISSED |
        | a line of its own
        after
        | alone |
        """;

    [Fact]
    public void The_tables_of_a_benchmark_are_taken_out_of_its_text()
    {
        var text = BenchText.Parse(Bench);
        var table = text.Tables.ShouldHaveSingleItem();
        table.Head.ShouldBe(["what", "goal", "median", "range", ""]);
        table.Rows[1].ShouldBe(["PATCH", "at most 3.00", "3.71", "1.77 to 4.18", "MISSED"]);
        table.Rows.Count.ShouldBe(3);
        text.Rest.ShouldBe("post:\n  pair 3 of 15: plain 9.0 <ms>\n\nafter\n| alone |");
    }

    [Fact]
    public async Task One_page_has_the_load_and_every_benchmark()
    {
        var folder = Directory.CreateTempSubdirectory("apexshop-report-").FullName;
        await ReportFolder.WriteAsync(folder, SampleRun.Report);
        await File.WriteAllTextAsync(Path.Combine(folder, "bench-commands.txt"), Bench);
        await File.WriteAllTextAsync(
            Path.Combine(folder, "bench-visibility.txt"), "  POST sent -> visible: p50 9.0 ms");

        var html = await File.ReadAllTextAsync(await ReportPage.WriteAsync(folder, CancellationToken.None));

        XDocument.Parse(html).ShouldNotBeNull();
        var page = new HtmlParser().ParseDocument(html);
        page.QuerySelectorAll("section[id]").Select(section => section.Id)
            .ShouldBe([
                .. SampleRun.Report.Scenarios.Select(scenario => scenario.Name), "bench-commands", "bench-visibility",
            ]);
        page.QuerySelectorAll("#bench-commands tbody tr").Length.ShouldBe(3);
        page.QuerySelectorAll("#bench-commands .bad").Single().TextContent.ShouldBe("MISSED");
        page.QuerySelector("#bench-visibility pre")!.TextContent.ShouldContain("sent -> visible");
        page.QuerySelector(".facts")!.TextContent.ShouldContain("abc123");
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void A_load_that_did_not_finish_is_reported() =>
        ReportPage.Write(null, SampleRun.Report.Facts, []).ShouldContain("The load did not finish");
}
