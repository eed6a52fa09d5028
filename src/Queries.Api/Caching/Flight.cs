namespace ApexShop.Queries.Api.Caching;

/// <summary>A read that several callers wait for; it is given up when the last of them has gone.</summary>
internal sealed class Flight(FenceMark mark) : IDisposable
{
    private readonly TaskCompletionSource<Answer?> landing = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource abandoned = new();
    private readonly Lock gate = new();
    private int aboard = 1;

    /// <summary>Noted before the read began.</summary>
    public FenceMark Mark => mark;

    public CancellationToken Token => abandoned.Token;

    public Task<Answer?> Landed => landing.Task;

    public bool TryBoard()
    {
        lock (gate)
        {
            if (aboard == 0) return false;
            aboard++;
            return true;
        }
    }

    public void Leave()
    {
        lock (gate)
        {
            if (--aboard > 0) return;
        }

        if (!landing.Task.IsCompleted) abandoned.Cancel();
        else Dispose();
    }

    public void Land(Answer? answer) => landing.TrySetResult(answer);

    public void Fail(Exception exception) => landing.TrySetException(exception);

    public void Dispose() => abandoned.Dispose();
}
