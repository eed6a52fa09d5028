using System.Diagnostics;

namespace ApexShop.Queries.Api.Reading;

/// <summary>One caller's request in a batch.</summary>
internal sealed class BatchRequest<TKey, TValue>(TKey key, CancellationToken ct)
{
    private const int Begun = 1;
    private const int Left = 2;

    private readonly TaskCompletionSource<TValue?> completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Zero while it waits for its batch.
    private int state;

    public TKey Key => key;

    public Activity? Activity { get; } = Activity.Current;

    public Task<TValue?> Result => completion.Task;

    public bool IsShared { get; set; }

    /// <summary>False when its caller has left.</summary>
    public bool TryBegin() =>
        !ct.IsCancellationRequested && Interlocked.CompareExchange(ref state, Begun, 0) == 0;

    /// <summary>False when its batch has begun.</summary>
    public bool TryLeave() => Interlocked.CompareExchange(ref state, Left, 0) == 0;

    public void Complete(TValue? value) => completion.TrySetResult(value);

    public void Fail(Exception exception) => completion.TrySetException(exception);
}
