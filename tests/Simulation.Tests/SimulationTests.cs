using System.Collections.Concurrent;
using System.Globalization;
using Xunit.Abstractions;

namespace ApexShop.Simulation.Tests;

/// <summary>The shop over models of its servers, in very many orders of everything that happens.</summary>
public sealed class SimulationTests(ITestOutputHelper output)
{
    private const int Repeated = 20;

    /// <summary>How many schedules, and the seed of the first: <c>./apexshop prove --simulate</c> sets them.</summary>
    private static readonly long count = Setting("APEXSHOP_SCHEDULES", 10_000);
    private static readonly long first = Setting("APEXSHOP_SEED", 1);

    [Fact]
    public void No_schedule_breaks_a_guarantee()
    {
        var (failures, events, responses) = (new ConcurrentBag<(long Seed, string Text)>(), 0L, 0L);
        Parallel.For(
            first,
            first + count,
            new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount },
            (seed, loop) =>
            {
                var schedule = new Schedule(seed);
                if (schedule.Run() is { } failure)
                {
                    failures.Add((seed, failure));
                    loop.Break();
                }

                Interlocked.Add(ref events, schedule.Events);
                Interlocked.Add(ref responses, schedule.Responses);
            });

        if (!failures.IsEmpty) throw new ShouldAssertException(failures.MinBy(failure => failure.Seed).Text);
        output.WriteLine($"{count} schedules from seed {first}: {events} events, {responses} responses.");
        // A single schedule may be short; many would be worthless if nothing happened in them.
        if (count < 1_000) return;
        events.ShouldBeGreaterThan(count * 10);
        responses.ShouldBeGreaterThan(count * 20);
    }

    [Fact]
    public void The_same_seed_is_the_same_schedule()
    {
        for (var seed = first; seed < first + Repeated; seed++)
        {
            var (once, again) = (new Schedule(seed), new Schedule(seed));
            once.Run();
            again.Run();
            (again.Trace.Hash, again.Trace.Count).ShouldBe((once.Trace.Hash, once.Trace.Count), $"seed {seed}");
            output.WriteLine($"seed {seed}: {once.Trace.Hash:x16} of {once.Trace.Count} events");
        }
    }

    private static long Setting(string name, long usual) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : usual;
}
