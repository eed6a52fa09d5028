using System.Globalization;
using ApexShop.Load.Reports;
using ApexShop.Load.Running;
using ApexShop.Load.Scenarios;

namespace ApexShop.Load;

/// <summary>Runs scenarios one after another against a running shop and writes the reports.</summary>
internal static class LoadCommand
{
    public const string Verb = "load";

    private const int Failed = 1;
    private const int Misused = 2;

    public static async Task<int> RunAsync(IReadOnlyList<string> args, TextWriter output, CancellationToken ct)
    {
        using var nowhere = new ShopApi(new Shop(new Uri("http://localhost"), new Uri("http://localhost"), ""));
        var known = Catalog.Of(nowhere, ShopData.None);
        var (options, problem) = LoadOptions.Parse(args);
        problem ??= options!.Words.Where(word => Catalog.Find(known, word).Count == 0)
            .Select(word => $"There is no scenario '{word}'.")
            .FirstOrDefault();
        if (problem is not null)
        {
            await output.WriteLineAsync(
                $"{problem}\n{LoadOptions.Usage}\n{string.Join('\n', Catalog.Describe(known))}");
            return Misused;
        }

        try
        {
            return await RunAsync(Shop.FromEnvironment(), options!, output, ct);
        }
        catch (Exception unusable) when (
            unusable is ShopUnusableException or HttpRequestException && !ct.IsCancellationRequested)
        {
            await output.WriteLineAsync(unusable.Message);
            return Failed;
        }
    }

    /// <summary>Returns 0 when every threshold is met and 1 when one is missed.</summary>
    public static async Task<int> RunAsync(Shop shop, LoadOptions options, TextWriter output, CancellationToken ct)
    {
        using var api = new ShopApi(shop);
        var scenarios = Catalog.Of(api, await ShopData.LoadAsync(api, ct));
        var facts = Machine.Facts(TimeProvider.System, Command(options), shop.Queries.ToString());
        var reports = new List<ScenarioReport>();
        foreach (var scenario in options.Words.SelectMany(word => Catalog.Find(scenarios, word)).Distinct())
            reports.Add(await RunAsync(scenario.Scaled(options.Rate, options.Seconds), output, ct));

        var report = new RunReport(facts, reports);
        await output.WriteLineAsync(Summary.Of(report));
        if (options.Folder is { } folder)
        {
            await ReportFolder.WriteAsync(folder, report);
            await output.WriteLineAsync(
                $"Reports: {Path.Combine(folder, ReportFolder.Html)} (also .md, .csv and .json)");
        }

        return report.Passed ? 0 : Failed;
    }

    private static async Task<ScenarioReport> RunAsync(Scenario scenario, TextWriter output, CancellationToken ct)
    {
        await output.WriteLineAsync($"{scenario.Name}: {string.Join("; ", scenario.Simulations)}");
        var run = await new ScenarioRunner(TimeProvider.System)
            .RunAsync(scenario, point => output.WriteLine($"  {point}"), ct);
        return ScenarioReport.Of(run);
    }

    private static string Command(LoadOptions options) => string.Create(
        CultureInfo.InvariantCulture,
        $"./apexshop load {string.Join(' ', options.Words)}{(options.Rate == 1 ? "" : $" --rate {options.Rate}")}"
        + $"{(options.Seconds is { } seconds ? $" --seconds {seconds}" : "")}");
}
