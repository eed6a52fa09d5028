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
    /// <summary>
    /// Whether the failure may be of that run only: a search that is too expensive fails again, and one that waited for
    /// a connection in vain has waited long enough.
    /// </summary>
    public static bool MaySucceed(Exception failure) =>
        failure is not (SearchBusyException or PostgresException { SqlState: PostgresErrorCodes.QueryCanceled });
}
