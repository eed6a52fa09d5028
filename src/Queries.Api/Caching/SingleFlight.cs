namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// One run for all callers that ask for the same key at the same time. It continues while any of them waits for it and
/// is cancelled when the last one has left. When it fails, the callers that joined it try once more, together.
/// </summary>
internal sealed class SingleFlight<TResult>(TagFence fence)
{
    private readonly Dictionary<string, Run> running = [];
    private readonly Lock gate = new();

    /// <summary>Starts a run, or joins one that began late enough for this caller.</summary>
    public async Task<TResult> RunAsync(
        string key, Func<FenceMark, bool> mayJoin, Func<CancellationToken, Task<TResult>> read, CancellationToken ct)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            var (run, joined) = Join(key, mayJoin);
            try
            {
                if (!joined) _ = LeadAsync(key, run, read);
                return await run.Result.WaitAsync(ct);
            }
            catch (Exception) when (joined && isFirst && !ct.IsCancellationRequested)
            {
                // The failure may have been of the caller that led the run only.
            }
            finally
            {
                run.Leave();
            }
        }
    }

    private (Run Run, bool Joined) Join(string key, Func<FenceMark, bool> mayJoin)
    {
        lock (gate)
        {
            if (running.TryGetValue(key, out var run) && mayJoin(run.Mark) && run.TryJoin()) return (run, true);
            return (running[key] = new Run(fence.Mark()), false);
        }
    }

    private async Task LeadAsync(string key, Run run, Func<CancellationToken, Task<TResult>> read)
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

    private void Remove(string key, Run run)
    {
        lock (gate)
        {
            if (running.GetValueOrDefault(key) == run) running.Remove(key);
        }
    }

    private sealed class Run(FenceMark mark) : IDisposable
    {
        private readonly TaskCompletionSource<TResult> completion =
            new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly CancellationTokenSource abandoned = new();
        private readonly Lock gate = new();
        private int callers = 1;

        /// <summary>Taken before the run began.</summary>
        public FenceMark Mark => mark;

        public CancellationToken Token => abandoned.Token;

        public Task<TResult> Result => completion.Task;

        public bool TryJoin()
        {
            lock (gate)
            {
                if (callers == 0) return false;
                callers++;
                return true;
            }
        }

        public void Leave()
        {
            lock (gate)
            {
                if (--callers > 0) return;
            }

            if (completion.Task.IsCompleted) Dispose();
            else abandoned.Cancel();
        }

        public void Complete(TResult result) => completion.TrySetResult(result);

        public void Fail(Exception exception) => completion.TrySetException(exception);

        public void Dispose() => abandoned.Dispose();
    }
}
