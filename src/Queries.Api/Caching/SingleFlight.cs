namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// One run for all callers that need the same key at the same time. It continues while any of them waits for it and
/// is cancelled when the last one has left. When it fails, the callers that joined it try once more, together.
/// </summary>
internal sealed class SingleFlight<TResult>(TagFence fence)
{
    private readonly Dictionary<string, Flight<TResult>> running = [];
    private readonly Lock gate = new();

    /// <summary>Starts a run, or joins one that began late enough for this caller.</summary>
    public Task<TResult> RunAsync(
        string key, Func<FenceMark, bool> mayJoin, Func<CancellationToken, Task<TResult>> read, CancellationToken ct) =>
        FlightRetry.RunAsync(() => Join(key, mayJoin, read), ct);

    private (Flight<TResult> Run, bool Joined) Join(
        string key, Func<FenceMark, bool> mayJoin, Func<CancellationToken, Task<TResult>> read)
    {
        Flight<TResult> run;
        lock (gate)
        {
            if (running.TryGetValue(key, out var begun) && mayJoin(begun.Mark) && begun.TryJoin()) return (begun, true);
            running[key] = run = new Flight<TResult>(fence.Mark());
        }

        _ = LeadAsync(key, run, read);
        return (run, false);
    }

    private async Task LeadAsync(string key, Flight<TResult> run, Func<CancellationToken, Task<TResult>> read)
    {
        try
        {
            var result = await read(run.Token);
            Remove(key, run);
            run.Complete(result);
        }
        catch (Exception exception)
        {
            // Before its callers are informed: those that try again must not find the run that failed.
            Remove(key, run);
            run.Fail(exception);
        }
    }

    private void Remove(string key, Flight<TResult> run)
    {
        lock (gate)
        {
            if (running.GetValueOrDefault(key) == run) running.Remove(key);
        }
    }
}
