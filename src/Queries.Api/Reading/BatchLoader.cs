using System.Diagnostics;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Loads the values of concurrent callers in batches. A batch begins after the requests that were already received, and
/// callers that come while batches are running share the next one. So no caller waits for a timer, and each value is
/// read after it was requested.
/// </summary>
/// <param name="load">Completes the requests of a batch; those that it does not complete have no value.</param>
/// <param name="largest">Most different keys of a batch; any number of callers may request each of them.</param>
/// <param name="concurrency">Most batches at a time.</param>
/// <param name="limit">The time limit of a batch; no caller can cancel it, since it may serve many.</param>
/// <param name="loadAlone">How a request is retried whose batch failed; without it, it shares a later batch.</param>
/// <param name="longestWait">
/// How long a request waits for its batch to begin, before a <see cref="TimeoutException"/>; null for any time.
/// </param>
internal sealed class BatchLoader<TKey, TValue>(
    Func<IReadOnlyList<BatchRequest<TKey, TValue>>, CancellationToken, Task> load,
    int largest,
    int concurrency,
    TimeSpan limit,
    Func<TKey, CancellationToken, Task<TValue?>>? loadAlone = null,
    TimeSpan? longestWait = null)
    where TKey : notnull
{
    private readonly Lock gate = new();
    private readonly Queue<BatchRequest<TKey, TValue>> waiting = new();
    private int running;

    /// <summary>The type's default if there is no value.</summary>
    public async Task<TValue?> LoadAsync(TKey key, CancellationToken ct)
    {
        var request = Enqueue(key, ct);
        try
        {
            return await ResultAsync(request, ct);
        }
        catch (Exception) when (request.IsShared && !ct.IsCancellationRequested)
        {
            // The failure may have been of another request of the batch, or of its connection.
        }

        return await (loadAlone?.Invoke(key, ct) ?? Enqueue(key, ct).Result.WaitAsync(ct));
    }

    private async Task<TValue?> ResultAsync(BatchRequest<TKey, TValue> request, CancellationToken ct)
    {
        if (longestWait is not { } longest) return await request.Result.WaitAsync(ct);
        try
        {
            return await request.Result.WaitAsync(longest, ct);
        }
        catch (TimeoutException) when (!request.TryLeave())
        {
            return await request.Result.WaitAsync(ct);
        }
    }

    private BatchRequest<TKey, TValue> Enqueue(TKey key, CancellationToken ct)
    {
        var request = new BatchRequest<TKey, TValue>(key, ct);
        lock (gate)
        {
            waiting.Enqueue(request);
            if (running == concurrency) return request;
            running++;
        }

        _ = RunAsync();
        return request;
    }

    private async Task RunAsync()
    {
        // After the requests that have been received already: without it, 32 concurrent callers would share batches of
        // about five.
        await Task.Yield();
        while (Next() is { Count: > 0 } batch)
        {
            using var time = DelayedCancellation.After(limit);
            // The statement is in the trace of one of its own callers, not of the one that the loop began with.
            Activity.Current = batch[0].Activity;
            try
            {
                await load(batch, time.Token);
                foreach (var request in batch) request.Complete(default);
            }
            catch (Exception exception)
            {
                foreach (var request in batch) request.Fail(exception);
            }
        }
    }

    private List<BatchRequest<TKey, TValue>> Next()
    {
        var (next, keys) = (new List<BatchRequest<TKey, TValue>>(), new HashSet<TKey>());
        lock (gate)
        {
            while (waiting.TryPeek(out var request) && (keys.Count < largest || keys.Contains(request.Key)))
            {
                waiting.Dequeue();
                if (!request.TryBegin()) continue;
                keys.Add(request.Key);
                next.Add(request);
            }

            if (next.Count == 0) running--;
        }

        if (next.Count > 1) next.ForEach(request => request.IsShared = true);
        return next;
    }
}

internal static class BatchLoader
{
    /// <summary>Loads values by their keys, one statement a batch.</summary>
    public static BatchLoader<TKey, T> ByKey<TKey, T>(
        Func<TKey[], CancellationToken, Task<Dictionary<TKey, T>>> read, TimeSpan limit)
        where TKey : notnull => new(
        async (batch, ct) =>
        {
            var found = await read([.. batch.Select(request => request.Key).Distinct()], ct);
            foreach (var request in batch) request.Complete(found.GetValueOrDefault(request.Key));
        },
        largest: 256,
        concurrency: 2,
        limit);
}
