using ApexShop.Load.Running;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Tests.Running;

public sealed class ScenarioRunnerTests
{
    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan millisecond = TimeSpan.FromMilliseconds(1);

    private readonly SimulatedTime time = new();

    [Fact]
    public void Arrivals_start_at_their_planned_time_even_if_responses_are_slow()
    {
        var seen = new List<TimeSpan>();
        var run = Run(Of(Step(30 * second, seen), Inject(100, second, 5 * second)));

        seen.ShouldBe(new LoadPlan([Inject(100, second, 5 * second)]).Arrivals);
        run.Recording.Iterations.Ok.ShouldBe(500);
        run.Recording.Iterations.Latency.Min.ShouldBe(30 * second);
        run.Took.ShouldBeInRange(34 * second, 36 * second);
    }

    [Fact]
    public void A_plan_shorter_than_a_second_is_reached_when_each_of_its_arrivals_is_good()
    {
        Run(Of(Step(millisecond, []), Inject(100, second, 0.5 * second))).PlanPercent.ShouldBe(100);
        Run(Of(Step(millisecond, []), Inject(100, second, 5 * second))).PlanPercent.ShouldBe(100);
    }

    [Fact]
    public void A_start_between_two_ticks_of_the_timer_is_at_the_next_tick()
    {
        var seen = new List<TimeSpan>();
        Run(Of(Step(millisecond, seen), RampingInject(30, second, 4 * second)));

        var plan = new LoadPlan([RampingInject(30, second, 4 * second)]).Arrivals.ToList();
        seen.Count.ShouldBe(plan.Count);
        seen.Zip(plan).ShouldAllBe(pair => pair.First >= pair.Second && pair.First < pair.Second + millisecond);
    }

    [Fact]
    public void A_stall_of_a_second_is_in_the_latencies_of_all_planned_arrivals()
    {
        // A generator that waits for responses on one connection meets the stall only once.
        var run = Run(Of(Stalling, Inject(100, second, 10 * second)), mostInFlight: 1);

        var iterations = run.Recording.Iterations;
        iterations.Ok.ShouldBe(1000);
        iterations.Service.Quantile(0.99).ShouldBeLessThan(10 * millisecond);
        iterations.Service.Max.ShouldBeGreaterThan(0.99 * second);
        // The hundred arrivals planned in that second waited half of it on average.
        iterations.Latency.Quantile(0.99).ShouldBeInRange(0.85 * second, 1.1 * second);
        iterations.Latency.Quantile(0.95).ShouldBeInRange(0.45 * second, 0.7 * second);
        iterations.Latency.Quantile(0.5).ShouldBeLessThan(10 * millisecond);
        run.Recording.Step("stalls").Latency.Quantile(0.99).ShouldBe(iterations.Latency.Quantile(0.99));
        // The generator was not late.
        run.Recording.Pacing.HeldBack.ShouldBeInRange(90, 130);
        run.Recording.Pacing.IsLimit.ShouldBeFalse();
    }

    [Fact]
    public void A_generator_that_is_too_slow_for_its_plan_gives_a_warning()
    {
        Task Slow(Iteration iteration, CancellationToken ct)
        {
            time.Burn(20 * millisecond);
            return iteration.StepAsync("burns", _ => Task.FromResult(Response.Ok()), ct);
        }

        Run(Of(Slow, Inject(40, second, 5 * second))).Recording.Pacing.IsLimit.ShouldBeFalse();
        var pacing = Run(Of(Slow, Inject(100, second, 5 * second))).Recording.Pacing;
        pacing.IsLimit.ShouldBeTrue();
        pacing.LateShare.ShouldBeGreaterThan(0.9);
        pacing.HeldBack.ShouldBe(0);
    }

    [Fact]
    public void A_generator_that_is_too_slow_for_its_copies_gives_a_warning()
    {
        async Task Slow(Iteration iteration, CancellationToken ct)
        {
            await Task.Delay(millisecond, time, ct);
            time.Burn(40 * millisecond);
        }

        Run(Of(Slow, KeepConstant(4, 5 * second))).Recording.Pacing.IsLimit.ShouldBeTrue();
        Run(Of(Step(100 * millisecond), KeepConstant(4, 5 * second))).Recording.Pacing.IsLimit.ShouldBeFalse();
    }

    [Fact]
    public void Copies_start_again_after_their_end_and_never_exceed_their_number()
    {
        var run = Run(
            Of(
                Step(100 * millisecond), RampingConstant(4, 4 * second), KeepConstant(4, 4.95 * second),
                Pause(1.05 * second)));

        // One, two, three and four copies for a second each, then four; each ends ten a second, and what it has begun.
        run.Recording.Iterations.Ok.ShouldBe(300);
        run.Series.ShouldAllBe(point => point.InFlight <= 4);
        run.Series[^1].Started.ShouldBe(0);
        run.Planned.ShouldBeNull();
        run.Took.ShouldBe(10 * second);
    }

    [Fact]
    public void The_pause_of_a_copy_is_not_part_of_its_latency()
    {
        var run = Run(Of(Step(50 * millisecond), KeepConstant(2, 9.95 * second)) with { Think = 150 * millisecond });
        run.Recording.Iterations.Ok.ShouldBe(100);
        run.Recording.Iterations.Latency.Max.ShouldBe(50 * millisecond);
    }

    [Fact]
    public void A_later_step_is_due_at_the_end_of_the_step_before()
    {
        async Task Two(Iteration iteration, CancellationToken ct)
        {
            await Step("first", 30 * millisecond)(iteration, ct);
            await Step("second", 50 * millisecond)(iteration, ct);
        }

        var run = Run(Of(Two, Inject(10, second, second)));
        run.Recording.Steps.Select(step => (step.Name, step.Ok, step.Latency.Max)).ShouldBe(
            [("first", 10, 30 * millisecond), ("second", 10, 50 * millisecond)]);
        run.Recording.Iterations.Latency.Max.ShouldBe(80 * millisecond);
    }

    [Fact]
    public void The_series_has_a_point_a_second_and_adds_up()
    {
        var run = Run(Of(Step(10 * millisecond), Inject(10, second, 2 * second), Inject(40, second, 2 * second)));

        run.Series.Select(point => point.Second).ShouldBe([1, 2, 3, 4]);
        run.Series.Select(point => point.Ok).ShouldBe([10, 10, 40, 40]);
        run.Series.ShouldAllBe(point => point.P50 >= 10 && point.P50 < 10.2);
    }

    private ScenarioRun Run(Scenario scenario, int mostInFlight = 1_000) =>
        time.Run(
            () => new ScenarioRunner(time) { MostInFlight = mostInFlight }
                .RunAsync(scenario, _ => { }, CancellationToken.None));

    private static Scenario Of(Func<Iteration, CancellationToken, Task> run, params LoadSimulation[] load) =>
        new Scenario("test", "tests", "A test", run) { WarmUp = TimeSpan.Zero }.WithLoad(load);

    private Func<Iteration, CancellationToken, Task> Step(string name, TimeSpan takes) => (iteration, ct) =>
        iteration.StepAsync(name, async token =>
        {
            await Task.Delay(takes, time, token);
            return Response.Ok();
        }, ct);

    private Func<Iteration, CancellationToken, Task> Step(TimeSpan takes, List<TimeSpan>? seen = null)
    {
        var began = time.GetTimestamp();
        return (iteration, ct) =>
        {
            seen?.Add(time.GetElapsedTime(began));
            return Step("step", takes)(iteration, ct);
        };
    }

    // Responds in a millisecond, but not between the fourth and the fifth second.
    private Task Stalling(Iteration iteration, CancellationToken ct) => iteration.StepAsync("stalls", async token =>
    {
        var now = new TimeSpan(time.GetTimestamp());
        if (now > 4 * second && now < 5 * second) await Task.Delay((5 * second) - now, time, token);
        await Task.Delay(millisecond, time, token);
        return Response.Ok();
    }, ct);
}
