namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Gathers the reads of concurrent callers into one statement. The first goes at once; who comes while statements are
/// under way is in the next one, so nobody waits for a time to pass, and each answer was read after it was asked for.
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
            var (batch, begins) = Join(id);
            if (begins) _ = RunAsync(batch);
            try
            {
                return (await batch.Read.WaitAsync(ct)).GetValueOrDefault(id);
            }
            catch (Exception) when (isFirst && !begins && !ct.IsCancellationRequested)
            {
                // The failure of a statement that many shared: it may have been of its connection only.
            }
        }
    }

    private (Batch Batch, bool Begins) Join(int id)
    {
        lock (gate)
        {
            if (running < inFlight)
            {
                running++;
                return (new Batch(id), true);
            }

            if (open is null || !open.TryAdd(id, Largest)) waiting.Enqueue(open = new Batch(id));
            return (open, false);
        }
    }

    private async Task RunAsync(Batch? batch)
    {
        while (batch is not null)
        {
            try
            {
                batch.Finish(await read(batch.Ids));
            }
            catch (Exception exception)
            {
                batch.Fail(exception);
            }

            batch = Next();
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

        public Task<Dictionary<int, T>> Read => reading.Task;

        public bool TryAdd(int id, int most)
        {
            if (ids.Count >= most && !ids.Contains(id)) return false;
            ids.Add(id);
            return true;
        }

        public void Finish(Dictionary<int, T> found) => reading.SetResult(found);

        public void Fail(Exception exception) => reading.SetException(exception);
    }
}
