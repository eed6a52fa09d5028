using ApexShop.Hosting;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// One run at a time for each key, for callers that must not get the result of a read that began before they came: they
/// share the next run, which begins when the running one has ended. When it fails, the callers that joined it try once
/// more, together.
/// </summary>
internal sealed class QueuedFlight<TResult>
{
    private readonly Dictionary<string, Flight<TResult>> running = [];
    private readonly Dictionary<string, Flight<TResult>> waiting = [];
    private readonly Lock gate = new();

    public Task<TResult> RunAsync(string key, Func<CancellationToken, Task<TResult>> read, CancellationToken ct) =>
        FlightRetry.RunAsync(() => Join(key, read), ct);

    private (Flight<TResult> Flight, bool Joined) Join(string key, Func<CancellationToken, Task<TResult>> read)
    {
        Flight<TResult> flight;
        Task? before;
        lock (gate)
        {
            if (waiting.TryGetValue(key, out var next) && next.TryJoin()) return (next, true);
            waiting[key] = flight = new Flight<TResult>();
            before = running.GetValueOrDefault(key)?.Result;
        }

        _ = LeadAsync(key, flight, before, read);
        return (flight, false);
    }

    private async Task LeadAsync(
        string key, Flight<TResult> flight, Task? before, Func<CancellationToken, Task<TResult>> read)
    {
        if (before is not null) await before.WithoutThrowing();
        Begin(key, flight);
        try
        {
            // Its callers may have left while it waited.
            flight.Token.ThrowIfCancellationRequested();
            var result = await read(flight.Token);
            End(key, flight);
            flight.Complete(result);
        }
        catch (Exception exception)
        {
            // Before its callers are informed: those that try again must not wait for the run that failed.
            End(key, flight);
            flight.Fail(exception);
        }
    }

    // From now on no caller joins it.
    private void Begin(string key, Flight<TResult> flight)
    {
        lock (gate)
        {
            if (waiting.GetValueOrDefault(key) == flight) waiting.Remove(key);
            // One without callers ends at once.
            if (!flight.Token.IsCancellationRequested) running[key] = flight;
        }
    }

    private void End(string key, Flight<TResult> flight)
    {
        lock (gate)
        {
            if (running.GetValueOrDefault(key) == flight) running.Remove(key);
        }
    }
}
