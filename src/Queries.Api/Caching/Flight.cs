using ApexShop.Queries.Api.Reading;
using Npgsql;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// One run and the callers that wait for it. It continues while any of them waits and is cancelled when the last one
/// has left.
/// </summary>
/// <param name="mark">Taken before the run began.</param>
internal sealed class Flight<TResult>(FenceMark mark = default) : IDisposable
{
    private readonly TaskCompletionSource<TResult> completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource abandoned = new();
    private readonly Lock gate = new();
    private int callers = 1;

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

/// <summary>The second attempt of callers that joined a run which failed.</summary>
internal static class FlightRetry
{
    /// <summary>Joins or starts a run and waits for it.</summary>
    public static async Task<TResult> RunAsync<TResult>(
        Func<(Flight<TResult> Run, bool Joined)> join, CancellationToken ct)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            var (run, joined) = join();
            try
            {
                return await run.Result.WaitAsync(ct);
            }
            catch (Exception failure) when (
                joined && isFirst && !ct.IsCancellationRequested && MaySucceed(failure))
            {
                // The failure may have been of the caller that led the run only.
            }
            finally
            {
                run.Leave();
            }
        }
    }

    // A search that is too expensive and a walk that is too short fail again, a search that waited for a connection in
    // vain has waited long enough, and an operator must not have to cancel a statement twice.
    private static bool MaySucceed(Exception failure) =>
        failure is not (SearchBusyException or SearchTooExpensiveException or WalkTooShortException)
        && failure.GetBaseException() is not PostgresException { SqlState: PostgresErrorCodes.QueryCanceled };
}
