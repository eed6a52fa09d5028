using System.Globalization;

namespace ApexShop.Load.Running;

/// <summary>
/// One part of a scenario's load. Open parts plan arrivals, independent of the responses; closed parts keep copies of
/// the scenario running, each of which starts again as soon as it has ended.
/// </summary>
internal abstract record LoadSimulation(TimeSpan During)
{
    /// <summary>The level at its end, where a following ramp of the same kind begins.</summary>
    public abstract double Level { get; }

    /// <summary>The same, scaled in load and in time.</summary>
    public abstract LoadSimulation Scaled(double rate, double time);

    protected string Text(string words) =>
        string.Create(CultureInfo.InvariantCulture, $"{words} during {During.TotalSeconds:0.###} s");
}

/// <summary>Inject and RampingInject: <paramref name="Rate"/> arrivals in each <paramref name="Interval"/>.</summary>
internal sealed record OpenSimulation(
    double Rate, TimeSpan Interval, TimeSpan During, bool Ramps) : LoadSimulation(During)
{
    public override double Level => Rate / Interval.TotalSeconds;

    public override LoadSimulation Scaled(double rate, double time) =>
        this with { Rate = Rate * rate, During = During * time };

    /// <summary>
    /// The times of the arrivals, from the start of this part; a ramp begins at <paramref name="from"/> a second.
    /// </summary>
    public IEnumerable<TimeSpan> Arrivals(double from)
    {
        var (start, slope) = Ramps ? (from, (Level - from) / During.TotalSeconds) : (Level, 0);
        // At a time t, start * t + slope * t * t / 2 have arrived; an arrival is where that is a whole
        // number.
        var all = (start + (Ramps ? Level : start)) / 2 * During.TotalSeconds;
        for (var number = 0; number < all - 1e-6; number++)
        {
            var root = Math.Sqrt(Math.Max(0, (start * start) + (2 * slope * number)));
            yield return number == 0
                ? TimeSpan.Zero
                : TimeSpan.FromTicks((long)Math.Round(2.0 * number / (start + root) * TimeSpan.TicksPerSecond));
        }
    }

    public override string ToString() => Text(string.Create(
        CultureInfo.InvariantCulture,
        $"{(Ramps ? "RampingInject to" : "Inject")} {Rate:0.##} every {Interval.TotalSeconds:0.###} s"));
}

/// <summary>KeepConstant and RampingConstant.</summary>
internal sealed record ClosedSimulation(int Copies, TimeSpan During, bool Ramps) : LoadSimulation(During)
{
    public override double Level => Copies;

    public override LoadSimulation Scaled(double rate, double time) =>
        this with { Copies = Copies == 0 ? 0 : Math.Max(1, (int)Math.Round(Copies * rate)), During = During * time };

    /// <summary>
    /// The changes of the number of copies, from the start of this part. A ramp has steps of one copy: upward
    /// the first at the start, downward the last at the end.
    /// </summary>
    public IEnumerable<(TimeSpan At, int Copies)> Changes(int from)
    {
        if (!Ramps) return [(TimeSpan.Zero, Copies)];
        var steps = Math.Abs(Copies - from);
        return Enumerable.Range(1, steps).Select(step =>
            Copies > from
                ? (During * ((step - 1.0) / steps), from + step)
                : (During * ((double)step / steps), from - step));
    }

    public override string ToString() => Text(string.Create(
        CultureInfo.InvariantCulture,
        $"{(Ramps ? "RampingConstant to" : "KeepConstant")} {Copies} {(Copies == 1 ? "copy" : "copies")}"));
}

internal sealed record PauseSimulation(TimeSpan During) : LoadSimulation(During)
{
    public override double Level => 0;

    public override LoadSimulation Scaled(double rate, double time) => new PauseSimulation(During * time);

    public override string ToString() => Text("Pause");
}
