namespace ApexShop.Load.Running;

/// <summary>Runs one scenario: warm-up, load, the iterations still in flight, and the clean-up.</summary>
internal sealed class ScenarioRunner(TimeProvider clock)
{
    private static readonly TimeSpan oneSecond = TimeSpan.FromSeconds(1);

    /// <summary>The maximum of concurrent iterations; further arrivals wait, which counts as latency.</summary>
    public int MostInFlight { get; init; } = 1_000;

    /// <summary>How long the end waits for iterations in flight; longer than a request may take.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(35);

    public async Task<ScenarioRun> RunAsync(Scenario scenario, Action<SecondPoint> progress, CancellationToken ct)
    {
        try
        {
            await WarmUpAsync(scenario, ct);
            return await MeasureAsync(scenario, progress, ct);
        }
        finally
        {
            // Also after an interruption: otherwise the created rows would stay in the shop.
            if (scenario.Clean is { } clean) await clean(CancellationToken.None);
        }
    }

    private async Task<ScenarioRun> MeasureAsync(Scenario scenario, Action<SecondPoint> progress, CancellationToken ct)
    {
        var plan = new LoadPlan(scenario.Simulations);
        var cpu = Environment.CpuUsage.TotalTime;
        var recording = new Recording(clock);
        var series = new SecondSeries(recording, progress);
        using var cut = CancellationTokenSource.CreateLinkedTokenSource(ct);
        using var timer = new PeriodicTimer(oneSecond, clock);
        var ticking = TickAsync(timer, series);
        await LoadAsync(scenario, plan, recording, cut.Token);
        await DrainAsync(recording, cut);
        var took = recording.Elapsed > plan.Duration ? recording.Elapsed : plan.Duration;
        timer.Dispose();
        await ticking;
        series.Take();
        ct.ThrowIfCancellationRequested();
        return new ScenarioRun(
            scenario, plan, recording, took, series.Points, (Environment.CpuUsage.TotalTime - cpu) / took);
    }

    private async Task WarmUpAsync(Scenario scenario, CancellationToken ct)
    {
        for (var discarded = new Recording(clock); discarded.Elapsed < scenario.WarmUp;)
            await IterateAsync(scenario, discarded, discarded.Elapsed, ct);
    }

    private async Task LoadAsync(Scenario scenario, LoadPlan plan, Recording recording, CancellationToken ct)
    {
        Task Start(TimeSpan due) => IterateAsync(scenario, recording, due, ct);
        var open = new OpenLoad(clock, recording, Start, MostInFlight);
        var closed = new ClosedLoad(clock, recording, Start, scenario.Think);
        try
        {
            foreach (var phase in plan.Phases)
            {
                if (phase.Simulation is ClosedSimulation simulation)
                {
                    await closed.RunAsync(phase, simulation, ct);
                    continue;
                }

                closed.Set(0);
                await open.RunAsync(LoadPlan.ArrivalsOf(phase), ct);
                await Timing.WaitAsync(clock, phase.End - recording.Elapsed, ct);
            }
        }
        finally
        {
            closed.Set(0);
        }
    }

    private static async Task IterateAsync(Scenario scenario, Recording recording, TimeSpan due, CancellationToken ct)
    {
        recording.Begin();
        var begun = recording.Elapsed;
        var response = await Iteration.GuardAsync(
            async () =>
            {
                await scenario.Run(new Iteration(recording, due), ct);
                return Response.Ok();
            },
            ct);
        recording.End(response, due, begun);
    }

    // An iteration that runs longer than any request may is cancelled and counted as a failure.
    private async Task DrainAsync(Recording recording, CancellationTokenSource cut)
    {
        for (var limit = recording.Elapsed + DrainTimeout; recording.InFlight > 0 && recording.Elapsed < limit;)
            await Task.Delay(TimeSpan.FromMilliseconds(5), clock, CancellationToken.None);
        // On this thread, so that nothing of the run continues after its end.
        cut.Cancel();
        while (recording.InFlight > 0) await Task.Delay(TimeSpan.FromMilliseconds(5), clock, CancellationToken.None);
    }

    private static async Task TickAsync(PeriodicTimer timer, SecondSeries series)
    {
        while (await timer.WaitForNextTickAsync(CancellationToken.None)) series.Take();
    }
}
