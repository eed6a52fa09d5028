using ApexShop.Load.Reports;
using ApexShop.Load.Running;
using ApexShop.Load.Scenarios;
using Xunit.Abstractions;

namespace ApexShop.Load.Tests.Scenarios;

public sealed class ScenarioTests(StockedShop stocked, ITestOutputHelper output) : IClassFixture<StockedShop>,
    IDisposable
{
    private static readonly string folder = Path.Combine(Path.GetTempPath(), $"apexshop-load-{Guid.NewGuid():N}");

    public static TheoryData<string> Names => [.. Known()];

    [Fact]
    public void The_scenarios_are_those_of_the_docs() => Known().ShouldBe(
    [
        "get_products", "get_product_by_id", "create_product", "get_categories", "get_orders",
        "browse_and_review", "create_order_workflow", "user_registration_and_browse",
        "stress_get_products", "spike_test", "constant_load", "mixed_operations_stress",
        "stream_products_json", "stream_products_ndjson", "stream_products_msgpack", "stream_category",
    ]);

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_scenario_passes_and_leaves_the_shop_unchanged(string name)
    {
        var before = await stocked.CountsAsync();
        var scenario = Catalog.Of(stocked.Api, stocked.Data)
            .Single(one => one.Name == name) with { WarmUp = TimeSpan.Zero };

        var run = await new ScenarioRunner(TimeProvider.System)
            .RunAsync(scenario.Scaled(0.2, 0.5), _ => { }, CancellationToken.None);

        var report = ScenarioReport.Of(run);
        report.Steps.SelectMany(step => step.Errors.Select(error => $"{step.Name}: {error.Key}")).ShouldBeEmpty();
        report.Total.Failed.ShouldBe(0);
        report.Total.Ok.ShouldBe(report.Started);
        report.Total.Ok.ShouldBeGreaterThan(0);
        if (report.Planned is { } planned) report.Started.ShouldBe(planned);
        (await stocked.CountsAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task The_command_writes_all_reports_and_its_exit_code_is_their_result()
    {
        var options = new LoadOptions(["streams", "get_products"], 0.2, 0.5, folder);

        var code = await LoadCommand.RunAsync(stocked.Shop, options, TextWriter.Null, CancellationToken.None);

        var report = JsonReport.Read(await File.ReadAllTextAsync(Path.Combine(folder, ReportFolder.Json)));
        code.ShouldBe(report.Passed ? 0 : 1);
        report.Scenarios.Select(scenario => scenario.Name).ShouldBe([
            "stream_products_json", "stream_products_ndjson", "stream_products_msgpack", "stream_category",
            "get_products",
        ]);
        Directory.GetFiles(folder)
            .Select(Path.GetFileName)
            .Order()
            .ShouldBe(["report.csv", "report.html", "report.json", "report.md"]);
    }

    [Fact]
    public async Task The_error_for_an_unusable_shop_names_the_remedy()
    {
        using var swapped = new ShopApi(stocked.Shop with { Queries = stocked.Shop.Commands });
        var unusable =
            await Should.ThrowAsync<ShopUnusableException>(() => ShopData.LoadAsync(swapped, CancellationToken.None));
        unusable.Message.ShouldBe("GET /products/stream answers 405.\n  ./apexshop status");
    }

    private static IEnumerable<string> Known()
    {
        using var nowhere = new ShopApi(new Shop(new Uri("http://localhost"), new Uri("http://localhost"), ""));
        return [.. Catalog.Of(nowhere, ShopData.None).Select(scenario => scenario.Name)];
    }

    public void Dispose()
    {
        // The runner shows a test's output only when it failed.
        output.WriteLine(stocked.Tail());
        if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true);
    }
}
