using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Cancels the consumers of a connection, for the first reason that is given. The broker then delivers again what was
/// not acknowledged.
/// </summary>
internal sealed class ConsumerCancellation : IAsyncDisposable
{
    private readonly CancellationTokenSource source = new();
    private readonly TaskCompletionSource cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private Exception? reason;

    public CancellationToken Token => source.Token;

    public Exception? Reason => Volatile.Read(ref reason);

    /// <summary>Returns when everything that uses the token is informed.</summary>
    public async Task CancelAsync(Exception exception)
    {
        if (Interlocked.CompareExchange(ref reason, exception, null) is null)
        {
            // What is cancelled may close the channel whose failure is reported here: not on its thread.
            await Task.Yield();
            try
            {
                source.Cancel();
            }
            finally
            {
                cancelled.SetResult();
            }
        }

        await cancelled.Task;
    }

    /// <summary>
    /// For the queue's consumer, which the client ends with its channel and the broker with the queue.
    /// </summary>
    public Task CancelAsync(IChannel channel, string queue) => CancelAsync(
        channel.CloseReason is { } closed
            ? new OperationInterruptedException(closed)
            : new IOException($"The queue {queue} was deleted."));

    /// <summary>A failure that is reported at the same time still finds what it cancels.</summary>
    public async ValueTask DisposeAsync()
    {
        await CancelAsync(new OperationCanceledException());
        source.Dispose();
    }
}
