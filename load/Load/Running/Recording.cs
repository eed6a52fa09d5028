using System.Collections.Concurrent;

namespace ApexShop.Load.Running;

/// <summary>Everything that one run of a scenario counts, on one clock that starts with it.</summary>
internal sealed class Recording(TimeProvider clock)
{
    // A second's figures are for a chart: less precision, and they come and go.
    private const int PrecisionOfSeconds = 7;

    private readonly long began = clock.GetTimestamp();
    private readonly ConcurrentDictionary<string, Tally> steps = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<string> order = new();
    private Histogram second = new(PrecisionOfSeconds);
    private long started;
    private long ended;

    public TimeSpan Elapsed => clock.GetElapsedTime(began);

    public Tally Iterations { get; } = new("iteration");

    public Pacing Pacing { get; } = new();

    public long Started => Volatile.Read(ref started);

    public long InFlight => Started - Volatile.Read(ref ended);

    /// <summary>In the order in which they were first seen.</summary>
    public IEnumerable<Tally> Steps => order.Select(name => steps[name]);

    public Tally Step(string name)
    {
        if (steps.TryGetValue(name, out var known)) return known;
        var tally = new Tally(name);
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

    /// <summary>The latencies of the iterations that have ended since it was last asked.</summary>
    public Histogram TakeSecond() => Interlocked.Exchange(ref second, new Histogram(PrecisionOfSeconds));
}
