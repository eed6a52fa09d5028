using System.Collections.Concurrent;

namespace ApexShop.Load.Running;

/// <summary>The counts of one run of a scenario, on one clock that starts with it.</summary>
internal sealed class Recording(TimeProvider clock)
{
    // The figures of a second are only for a chart: less precision is enough.
    private const int PrecisionOfSeconds = 7;

    private readonly long began = clock.GetTimestamp();
    private readonly ConcurrentDictionary<string, StepStatistics> steps = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<string> order = new();
    private Histogram second = new(PrecisionOfSeconds);
    private long started;
    private long ended;

    public TimeSpan Elapsed => clock.GetElapsedTime(began);

    public StepStatistics Iterations { get; } = new("iteration");

    public Pacing Pacing { get; } = new();

    public long Started => Volatile.Read(ref started);

    public long InFlight => Started - Volatile.Read(ref ended);

    /// <summary>In the order in which they were first seen.</summary>
    public IEnumerable<StepStatistics> Steps => order.Select(name => steps[name]);

    public StepStatistics Step(string name)
    {
        if (steps.TryGetValue(name, out var known)) return known;
        var tally = new StepStatistics(name);
        if (!steps.TryAdd(name, tally)) return steps[name];
        order.Enqueue(name);
        return tally;
    }

    public void Begin() => Interlocked.Increment(ref started);

    public void End(Response response, TimeSpan due, TimeSpan begun)
    {
        var now = Elapsed;
        Iterations.Record(response, now - due, now - begun);
        if (response.Problem is null) Volatile.Read(ref second).Record(now - due);
        Interlocked.Increment(ref ended);
    }

    /// <summary>The latencies of the iterations that have ended since the last call.</summary>
    public Histogram TakeSecond() => Interlocked.Exchange(ref second, new Histogram(PrecisionOfSeconds));
}
