namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Gathers the reads of concurrent callers into one statement. It begins when the requests that have come by then have
/// been looked at, and who comes while statements are under way is in the next one; so nobody waits for a time to pass,
/// and each answer was read after it was asked for.
/// </summary>
internal sealed class Gatherer<T>(Func<int[], Task<Dictionary<int, T>>> read, int inFlight = 2)
{
    private const int Largest = 256;

    private readonly Lock gate = new();
    private readonly Queue<Batch> waiting = new();
    private Batch? open;
    private int running;

    /// <summary>The type's default if there is none.</summary>
    public async Task<T?> FindAsync(int id, CancellationToken ct)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            var batch = Join(id);
            try
            {
                return (await batch.Read.WaitAsync(ct)).GetValueOrDefault(id);
            }
            catch (Exception) when (isFirst && batch.IsShared && !ct.IsCancellationRequested)
            {
                // The failure of a statement that many shared: it may have been of its connection only.
            }
        }
    }

    private Batch Join(int id)
    {
        lock (gate)
        {
            if (open is null || !open.TryAdd(id, Largest)) waiting.Enqueue(open = new Batch(id));
            if (running < inFlight)
            {
                running++;
                _ = RunAsync();
            }

            return open;
        }
    }

    private async Task RunAsync()
    {
        // Behind what has been received already: at once, 32 callers at a time would share statements by fives.
        await Task.Yield();
        while (Next() is { } batch)
        {
            try
            {
                batch.Finish(await read(batch.Ids));
            }
            catch (Exception exception)
            {
                batch.Fail(exception);
            }
        }
    }

    private Batch? Next()
    {
        lock (gate)
        {
            if (!waiting.TryDequeue(out var next)) running--;
            if (next == open) open = null;
            return next;
        }
    }

    private sealed class Batch(int first)
    {
        private readonly HashSet<int> ids = [first];
        private readonly TaskCompletionSource<Dictionary<int, T>> reading =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int[] Ids => [.. ids];

        public bool IsShared { get; private set; }

        public Task<Dictionary<int, T>> Read => reading.Task;

        public bool TryAdd(int id, int most)
        {
            if (ids.Count >= most && !ids.Contains(id)) return false;
            ids.Add(id);
            IsShared = true;
            return true;
        }

        public void Finish(Dictionary<int, T> found) => reading.SetResult(found);

        public void Fail(Exception exception) => reading.SetException(exception);
    }
}
