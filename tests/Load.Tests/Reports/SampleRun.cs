using ApexShop.Load.Reports;
using ApexShop.Load.Running;
using ApexShop.Load.Tests.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Tests.Reports;

/// <summary>A run in simulated time, with names and messages that every format must escape.</summary>
internal static class SampleRun
{
    public const string NastyName = "a<b>&\"c\", 'd' | e\nf `g` *h*";

    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    public static RunReport Report { get; } = new(
        new RunFacts(
            DateTimeOffset.UnixEpoch, "abc123", "./apexshop load <all>", "http://localhost:5200/", "Some & processor",
            2, 24, "Linux", ".NET"),
        [Run("plain", 0, false), Run(NastyName, 4, false), Run("busy", 0, true), Run("broken", 1, false)]);

    /// <summary>Every <paramref name="failing"/>-th iteration fails; 0 for none.</summary>
    private static ScenarioReport Run(string name, int failing, bool busy)
    {
        var time = new SimulatedTime();
        var number = 0;
        var scenario = new Scenario(name, "samples", "Made for <tests> | nothing else", async (iteration, ct) =>
        {
            await iteration.StepAsync("look", async token =>
            {
                if (busy) time.Burn(TimeSpan.FromMilliseconds(30));
                await Task.Delay(TimeSpan.FromMilliseconds(5 + (number % 50)), time, token);
                return Response.Ok("200", 1_234);
            }, ct);
            await iteration.StepAsync($"take {name}", _ => Task.FromResult(
                failing > 0 && ++number % failing == 0
                    ? Response.Fail("500", $"status 500 <{name}>")
                    : Response.Ok("201", 10)), ct);
        }) { WarmUp = TimeSpan.Zero }
            .WithLoad(RampingInject(50, second, 2 * second), Inject(50, second, 3 * second))
            .WithThresholds(Threshold.OkShare(99.9), Threshold.OfPlan(90), Threshold.P99(second), Threshold.Rate(1));
        return ScenarioReport.Of(
            time.Run(() => new ScenarioRunner(time).RunAsync(scenario, _ => { }, CancellationToken.None)));
    }
}
