using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages; those of walks that are asked for while others are read go together, several in one round trip. Each
/// of them costs PostgreSQL about as little as the way to it and back does. A search goes alone: none waits for it.
/// </summary>
internal sealed class PageReads(NpgsqlDataSource walks, ListReader lists)
{
    private const int Largest = 16;

    /// <summary>Round trips at a time: more than there are processors would only divide what goes together.</summary>
    internal static readonly int InFlight = Math.Max(2, Environment.ProcessorCount);

    private readonly Lock gate = new();
    private readonly Queue<Asked> waiting = new();
    private int running;

    /// <summary>The page as the database has it after this was called; it is the caller's to dispose of.</summary>
    public async Task<ReadPage> ReadAsync(ListQuery list, Start start, int take, CancellationToken ct)
    {
        if (!list.IsWalk) return await lists.PageAsync(list, start, take, ct);

        var asked = new Asked(list, start, take, ct);
        Join(asked);
        try
        {
            return await asked.Page.WaitAsync(ct);
        }
        catch (Exception) when (asked.IsShared && !ct.IsCancellationRequested)
        {
            // The failure of a round trip that others shared may have been of one of them, or of its connection only.
            return await lists.PageAsync(list, start, take, ct);
        }
    }

    private void Join(Asked asked)
    {
        lock (gate)
        {
            waiting.Enqueue(asked);
            if (running == InFlight) return;
            running++;
        }

        _ = RunAsync();
    }

    private async Task RunAsync()
    {
        // Behind what has been received already, as the Gatherer does.
        await Task.Yield();
        while (Next() is { Count: > 0 } together)
        {
            try
            {
                await ReadAsync(together);
            }
            catch (Exception exception)
            {
                together.ForEach(asked => asked.Fail(exception));
            }
        }
    }

    private List<Asked> Next()
    {
        var next = new List<Asked>(Largest);
        lock (gate)
        {
            while (next.Count < Largest && waiting.TryDequeue(out var asked))
            {
                if (!asked.IsGone) next.Add(asked);
            }

            if (next.Count == 0) running--;
        }

        if (next.Count > 1) next.ForEach(asked => asked.IsShared = true);
        return next;
    }

    private async Task ReadAsync(List<Asked> together)
    {
        await using var batch = walks.CreateBatch();
        batch.BatchCommands.Add(ListReader.EpochCommand());
        foreach (var asked in together) batch.BatchCommands.Add(ListReader.PageCommand(asked.List, asked.Start, asked.Take));
        await using var rows = await batch.ExecuteReaderAsync();
        var epoch = await ListReader.EpochAsync(rows, CancellationToken.None);
        foreach (var asked in together)
        {
            await rows.NextResultAsync();
            asked.Land(await ListReader.PageAsync(rows, epoch, asked.List, asked.Start, asked.Take, CancellationToken.None));
        }
    }

    private sealed class Asked(ListQuery list, Start start, int take, CancellationToken ct)
    {
        private readonly TaskCompletionSource<ReadPage> landing = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ListQuery List => list;

        public Start Start => start;

        public int Take => take;

        public Task<ReadPage> Page => landing.Task;

        public bool IsShared { get; set; }

        public bool IsGone => ct.IsCancellationRequested;

        // A page for nobody is left to the collector: who has gone cannot be asked whether he took it.
        public void Land(ReadPage page) => landing.TrySetResult(page);

        public void Fail(Exception exception) => landing.TrySetException(exception);
    }
}

/// <summary>A page as far as its documents go, and the epoch that its cursors are to carry.</summary>
internal sealed record ReadPage(long Epoch, Slice Slice, PooledBuffer Text) : IDisposable
{
    public void Dispose() => Text.Dispose();
}
