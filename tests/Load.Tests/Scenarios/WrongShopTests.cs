using ApexShop.Load.Reports;
using ApexShop.Load.Running;
using ApexShop.Load.Scenarios;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Load.Tests.Scenarios;

/// <summary>
/// A fake shop with one product and configurable responses: a scenario without checks would pass.
/// </summary>
public sealed class WrongShopTests : IAsyncLifetime
{
    private readonly WebApplication app;
    private readonly Shop shop;
    private readonly string folder = Path.Combine(Path.GetTempPath(), $"apexshop-wrong-{Guid.NewGuid():N}");

    public WrongShopTests()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        app = builder.Build();
        var url = new Uri($"http://127.0.0.1:{Loopback.FreePort()}");
        app.Urls.Add(url.ToString());
        shop = new Shop(url, url, "key");
        Answer(
            "/products/stream",
            """{"id":7,"name":"Desk","stock":100,"isActive":true,"category":{"id":1,"name":"Desks"}}""" + "\n");
        Answer("/users/stream", """{"id":3,"isActive":true}""" + "\n");
    }

    public Task InitializeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData(200, """{"id":8,"name":"Chair"}""", "the document has another id")]
    [InlineData(200, "no JSON at all", "the document has another id")]
    [InlineData(404, """{"status":404,"code":"product.not_found"}""", "status 404 product.not_found instead of 200")]
    [InlineData(200, "{\"id\":", "JsonReaderException: Expected depth to be zero at the end of the JSON payload. "
        + "There is an open JSON object or array that should be closed. LineNumber: 0 | BytePositionInLine: 6.")]
    public async Task A_wrong_response_is_a_failure_with_its_reason_and_makes_the_run_fail(
        int status, string body, string why)
    {
        Answer("/products/v2", """{"totalCount":1,"data":[{"id":7}]}""");
        Answer("/products/{id}", body, status);

        var report = await RunAsync("get_product_by_id");

        report.Steps.Single().Errors.ShouldBe([new(why, report.Started)]);
        (report.Total.Ok, report.Total.Failed).ShouldBe((0, report.Started));
        report.Thresholds.ShouldAllBe(threshold => !threshold.Met);
    }

    [Fact]
    public async Task A_step_that_failed_ends_its_iteration()
    {
        Answer("/products/v2", """{"totalCount":1,"data":[]}""");
        Answer("/products/{id}", """{"id":7}""");

        var report = await RunAsync("constant_load");

        report.Steps.Select(step => step.Name).ShouldBe(["get_product_by_id", "get_products"]);
        report.Steps[0].Failed.ShouldBe(0);
        report.Steps[1].Ok.ShouldBe(0);
        report.Steps[1].Errors.Single().Key.ShouldBe("the page is empty");
        report.Total.Failed.ShouldBe(report.Started);
        report.Passed.ShouldBeFalse();
    }

    [Fact]
    public async Task A_stream_that_ends_too_early_fails()
    {
        Answer("/products/v2", """{"totalCount":2,"data":[{"id":7}]}""");
        (await RunAsync("stream_products_ndjson")).Steps.Single(step => step.Failed > 0)
            .Errors.Single().Key.ShouldBe("fewer documents than the 2 that there are");
        (await RunAsync("stream_products_json")).Steps.Single().Errors.Single().Key
            .ShouldBe("application/x-ndjson instead of application/json");
    }

    [Theory]
    [InlineData("no_such_scenario")]
    [InlineData("all", "--rate")]
    [InlineData("all", "--rate", "fast")]
    [InlineData("all", "--seconds", "0")]
    [InlineData("--loud")]
    public async Task An_unknown_word_prints_the_scenarios(params string[] args)
    {
        var output = new StringWriter();
        (await LoadCommand.RunAsync(args, output, CancellationToken.None)).ShouldBe(2);
        output.ToString().ShouldContain(args[^1]);
        output.ToString().ShouldContain(LoadOptions.Usage);
        output.ToString().ShouldContain("browse_and_review");
    }

    [Fact]
    public void The_command_line_is_read_in_any_order()
    {
        var (options, problem) =
            LoadOptions.Parse(["--rate", "2.5", "crud", "--seconds", "30", "spike_test", "--report", "there"]);
        problem.ShouldBeNull();
        (options!.Rate, options.Seconds, options.Folder).ShouldBe((2.5, 30, "there"));
        options.Words.ShouldBe(["crud", "spike_test"]);
        LoadOptions.Parse([]).Options!.Words.ShouldBe(["all"]);
    }

    public async Task DisposeAsync()
    {
        await app.DisposeAsync();
        if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true);
    }

    private void Answer(string path, string body, int status = 200) => app.MapGet(path, async http =>
    {
        http.Response.StatusCode = status;
        http.Response.ContentType = path.EndsWith("/stream", StringComparison.Ordinal)
            ? "application/x-ndjson"
            : "application/json";
        await http.Response.WriteAsync(body);
    });

    private async Task<ScenarioReport> RunAsync(string scenario)
    {
        if (!Directory.Exists(folder)) await app.StartAsync();
        var code = await LoadCommand.RunAsync(
            shop, new LoadOptions([scenario], 0.05, 0.4, folder), TextWriter.Null, CancellationToken.None);
        var report = JsonReport.Read(await File.ReadAllTextAsync(Path.Combine(folder, ReportFolder.Json)));
        code.ShouldBe(1);
        return report.Scenarios.Single();
    }
}
