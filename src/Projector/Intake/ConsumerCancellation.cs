using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Cancels the consumers of a connection, for the first reason that is given. The broker then delivers again what was
/// not acknowledged.
/// </summary>
internal sealed class ConsumerCancellation : IDisposable
{
    private readonly CancellationTokenSource source = new();

    private Exception? reason;

    public CancellationToken Token => source.Token;

    public Exception? Reason => Volatile.Read(ref reason);

    public Task CancelAsync(Exception exception) =>
        Interlocked.CompareExchange(ref reason, exception, null) is null ? source.CancelAsync() : Task.CompletedTask;

    /// <summary>
    /// For the queue's consumer, which the client ends with its channel and the broker with the queue.
    /// </summary>
    public Task CancelAsync(IChannel channel, string queue) => CancelAsync(
        channel.CloseReason is { } closed
            ? new OperationInterruptedException(closed)
            : new IOException($"The queue {queue} was deleted."));

    public void Dispose() => source.Dispose();
}
