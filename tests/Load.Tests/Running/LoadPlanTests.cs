using ApexShop.Load.Running;
using FsCheck;
using FsCheck.Fluent;
using static ApexShop.Load.Running.Simulation;

namespace ApexShop.Load.Tests.Running;

public sealed class LoadPlanTests
{
    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Inject_spreads_its_arrivals_evenly() =>
        Milliseconds(Inject(5, second, 2 * second)).ShouldBe([0, 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800]);

    [Fact]
    public void Inject_counts_in_its_interval() =>
        Milliseconds(Inject(2, 10 * second, 20 * second)).ShouldBe([0, 5000, 10000, 15000]);

    [Fact]
    public void The_arrivals_of_a_ramp_from_zero_get_closer() =>
        // Eight a second after four seconds are sixteen in all; the n-th is at the square root of n.
        Milliseconds(RampingInject(8, second, 4 * second))
            .ShouldBe(Enumerable.Range(0, 16).Select(number => Math.Round(1000 * Math.Sqrt(number), 3)));

    [Fact]
    public void A_ramp_starts_at_the_previous_rate_and_may_fall() =>
        // From 10 to 0 in 2 s: 10 t - 2.5 t^2 = n.
        Milliseconds(Inject(10, second, second), RampingInject(0, second, 2 * second)).Skip(10)
            .ShouldBe(
                Enumerable.Range(0, 10)
                    .Select(number => Math.Round(1000 * (1 + ((10 - Math.Sqrt(100 - (10.0 * number))) / 5)), 3)));

    [Fact]
    public void A_ramp_after_a_pause_or_copies_starts_at_zero()
    {
        var alone = Milliseconds(RampingInject(4, second, 2 * second)).ToList();
        Milliseconds(Inject(50, second, second), Pause(second), RampingInject(4, second, 2 * second)).Skip(50)
            .ShouldBe(alone.Select(time => time + 2000));
        Milliseconds(KeepConstant(7, second), RampingInject(4, second, 2 * second))
            .ShouldBe(alone.Select(time => time + 1000));
    }

    [Fact]
    public void Parts_follow_each_other()
    {
        var plan = new LoadPlan([Inject(1, second, 3 * second), Pause(2 * second), Inject(2, second, second)]);
        plan.Duration.ShouldBe(6 * second);
        plan.Arrivals.Select(time => time.TotalSeconds).ShouldBe([0, 1, 2, 5, 5.5]);
        plan.IsOpen.ShouldBeTrue();
        new LoadPlan([Inject(1, second, second), KeepConstant(1, second)]).IsOpen.ShouldBeFalse();
    }

    [Fact]
    public void Copies_start_and_stop_one_by_one()
    {
        Changes(RampingConstant(4, 2 * second), from: 0).ShouldBe([(0, 1), (0.5, 2), (1, 3), (1.5, 4)]);
        Changes(RampingConstant(1, 2 * second), from: 3).ShouldBe([(1, 2), (2, 1)]);
        Changes(RampingConstant(3, 2 * second), from: 3).ShouldBeEmpty();
        Changes(KeepConstant(6, 2 * second), from: 2).ShouldBe([(0, 6)]);
    }

    [Fact]
    public void A_scaled_load_has_the_same_shape()
    {
        Inject(10, second, 4 * second).Scaled(2, 0.5).ShouldBe(Inject(20, second, 2 * second));
        RampingConstant(4, second).Scaled(1.5, 2).ShouldBe(RampingConstant(6, 2 * second));
        KeepConstant(4, second).Scaled(0.01, 1).ShouldBe(KeepConstant(1, second));
        Pause(second).Scaled(9, 3).ShouldBe(Pause(3 * second));
    }

    [Fact]
    public void An_empty_load_is_rejected()
    {
        Should.Throw<ArgumentOutOfRangeException>(() => Inject(-1, second, second));
        Should.Throw<ArgumentOutOfRangeException>(() => Inject(1, TimeSpan.Zero, second));
        Should.Throw<ArgumentOutOfRangeException>(() => KeepConstant(1, TimeSpan.Zero));
    }

    [Fact]
    public void Every_ramp_plans_all_arrivals_in_order_and_within_its_duration() =>
        Prop.ForAll(Ramps().ToArbitrary(), ramp =>
        {
            var (from, to, seconds) = ramp;
            var arrivals = ((OpenSimulation)RampingInject(to, second, seconds * second)).Arrivals(from).ToList();
            arrivals.Count.ShouldBe((int)Math.Ceiling(((from + to) / 2.0 * seconds) - 1e-6));
            for (var number = 0; number < arrivals.Count; number++)
            {
                var time = arrivals[number].TotalSeconds;
                time.ShouldBeInRange(number == 0 ? 0 : arrivals[number - 1].TotalSeconds, seconds);
                ((from * time) + ((to - from) / (double)seconds * time * time / 2)).ShouldBe(number, 1e-3);
            }
        }).QuickCheckThrowOnFailure();

    private static Gen<(int From, int To, int Seconds)> Ramps() =>
        from start in Gen.Choose(0, 200)
        from end in Gen.Choose(0, 200)
        from seconds in Gen.Choose(1, 20)
        select (start, end, seconds);

    private static IEnumerable<double> Milliseconds(params LoadSimulation[] simulations) =>
        new LoadPlan(simulations).Arrivals.Select(time => Math.Round(time.TotalMilliseconds, 3));

    private static IEnumerable<(double, int)> Changes(LoadSimulation simulation, int from) =>
        ((ClosedSimulation)simulation).Changes(from).Select(change => (change.At.TotalSeconds, change.Copies));
}
