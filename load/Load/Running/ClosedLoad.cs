namespace ApexShop.Load.Running;

/// <summary>Keeps copies of the scenario running. A removed copy finishes its iteration.</summary>
internal sealed class ClosedLoad(TimeProvider clock, Recording recording, Func<TimeSpan, Task> start, TimeSpan think)
{
    private static readonly TimeSpan pulse = TimeSpan.FromMilliseconds(50);

    private readonly Stack<Copy> copies = new();

    private sealed class Copy
    {
        public volatile bool Leaves;
    }

    public async Task RunAsync(Phase phase, ClosedSimulation simulation, CancellationToken ct)
    {
        foreach (var (at, number) in simulation.Changes(copies.Count))
        {
            await PulseUntilAsync(phase.Start + at, ct);
            Set(number);
        }

        await PulseUntilAsync(phase.End, ct);
    }

    public void Set(int number)
    {
        while (copies.Count > number) copies.Pop().Leaves = true;
        while (copies.Count < number)
        {
            var copy = new Copy();
            copies.Push(copy);
            _ = LoopAsync(copy);
        }
    }

    private async Task LoopAsync(Copy copy)
    {
        await Task.Yield();
        // Without a plan, an iteration is due when the one before it has ended.
        while (!copy.Leaves)
        {
            await start(recording.Elapsed);
            await Timing.WaitAsync(clock, think, CancellationToken.None);
        }
    }

    // Copies have no plan; a late timer shows an overloaded generator instead.
    private async Task PulseUntilAsync(TimeSpan end, CancellationToken ct)
    {
        while (end - recording.Elapsed is var left && left > TimeSpan.Zero)
        {
            var next = recording.Elapsed + (left < pulse ? left : pulse);
            await Timing.WaitAsync(clock, next - recording.Elapsed, ct);
            recording.Pacing.Lateness.Record(recording.Elapsed - next);
        }
    }
}
