using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>Reads the number of messages and consumers of the queue, on a connection of its own.</summary>
internal sealed class QueueProbe(IOptions<MessagingOptions> options) : IAsyncDisposable
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    private readonly MessagingOptions messaging = options.Value;
    private readonly SemaphoreSlim turn = new(1, 1);

    private IConnection? connection;

    /// <summary>The messages that no Projector has taken, and the consumers.</summary>
    public async Task<QueueDeclareOk> ReadAsync(CancellationToken ct)
    {
        await turn.WaitAsync(ct);
        try
        {
            if (connection is { IsOpen: false }) await CloseAsync();
            connection ??= await BrokerClient.ConnectAsync(messaging, "apexshop projector gauges", ct);
            // A new channel each time: the broker closes it when the queue does not exist.
            await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
            return await channel.QueueDeclarePassiveAsync(messaging.Queue, ct);
        }
        catch (OperationInterruptedException exception) when (
            exception.ShutdownReason?.ReplyCode == Constants.NotFound)
        {
            // Before the first Projector declares it.
            return new(messaging.Queue, 0, 0);
        }
        finally
        {
            turn.Release();
        }
    }

    /// <summary>Whether the queue is known to have messages: false also while the broker does not respond.</summary>
    public async Task<bool> HasMessagesAsync(CancellationToken ct)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(limit);
        try
        {
            return (await ReadAsync(limited.Token)).MessageCount > 0;
        }
        catch (Exception exception) when (
            !ct.IsCancellationRequested
            && (BrokerClient.IsUnavailable(exception) || exception is OperationCanceledException))
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync();
        turn.Dispose();
    }

    private async Task CloseAsync()
    {
        var closing = connection;
        connection = null;
        if (closing is not null) await closing.DisposeAsync();
    }
}
