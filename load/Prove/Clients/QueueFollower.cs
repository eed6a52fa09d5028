using System.Text.Json;
using ApexShop.Prove.Faults;
using ApexShop.Prove.Histories;
using RabbitMQ.Client;

namespace ApexShop.Prove.Clients;

/// <summary>
/// A consumer with a queue of its own, as docs/consume-events.md describes it: it binds the queue, reads the log, takes
/// messages, skips repeats and fills holes from the log.
/// </summary>
internal sealed class QueueFollower(ShopAddresses shop, IShopControl control, string resource, long after)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan retry = TimeSpan.FromMilliseconds(500);

    private readonly List<LogEvent> events = [];

    // Positions that were read from the log and that no message has had yet.
    private readonly HashSet<long> filled = [];
    private readonly string queue = $"prove.{Guid.NewGuid():N}";
    private bool isBound;

    public Consumed Consumed =>
        Consumed.Of($"the queue of {resource}", events, resource) with { Filled = filled.Count };

    public long Last => events.Count == 0 ? after : events[^1].Position;

    public async Task RunAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            try
            {
                await FollowAsync(ct);
            }
            catch (Exception lost) when (lost is IOException or RabbitMQ.Client.Exceptions.RabbitMQClientException
                or System.Net.Sockets.SocketException or TimeoutException or OperationCanceledException)
            {
                // The broker is unavailable, or the queue is gone: begin again with the binding.
            }

            if (!ct.IsCancellationRequested) await Task.Delay(retry, CancellationToken.None);
        }
    }

    private async Task FollowAsync(CancellationToken ct)
    {
        var factory = new ConnectionFactory { Uri = control.Broker!, AutomaticRecoveryEnabled = false };
        await using var connection = await factory.CreateConnectionAsync(ct);
        await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
        var quorum = new Dictionary<string, object?> { ["x-queue-type"] = "quorum" };
        await channel.QueueDeclareAsync(queue, true, false, false, quorum, cancellationToken: ct);
        try
        {
            await channel.QueueBindAsync(queue, control.Exchange, resource, cancellationToken: ct);
            await ReadLogAsync(ct);
            await TakeAsync(channel, ct);
        }
        finally
        {
            // Also a cancelled wait ends here. After another exception the queue is used again.
            if (ct.IsCancellationRequested)
                await channel.QueueDeleteAsync(queue, cancellationToken: CancellationToken.None);
        }
    }

    private async Task TakeAsync(IChannel channel, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            if (await channel.BasicGetAsync(queue, autoAck: false, ct) is not { } message)
            {
                await Task.Delay(pause, ct);
                continue;
            }

            var sent = Parse(message.Body);
            if (sent is null || !TryApply(sent)) await ReadLogAsync(ct);
            filled.ExceptWith((sent ?? []).Select(one => one.Position));
            await channel.BasicAckAsync(message.DeliveryTag, multiple: false, ct);
        }
    }

    /// <summary>The events of a message; null for a message that has none.</summary>
    private static List<LogEvent>? Parse(ReadOnlyMemory<byte> body)
    {
        try
        {
            using var batch = JsonDocument.Parse(body);
            return [.. batch.RootElement.EnumerateArray().Select(one => LogEvent.Parse(one.GetRawText()))];
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>Applies what follows the last position; false at a hole.</summary>
    private bool TryApply(List<LogEvent> sent)
    {
        foreach (var next in sent.Where(next => next.Position > Last))
        {
            // The first event after the start of the run follows one from before it.
            if (events.Count == 0 || next.Previous != Last) return false;
            events.Add(next);
        }

        return true;
    }

    private async Task ReadLogAsync(CancellationToken ct)
    {
        var last = Last;
        var log = (await new LogReader(shop).ReadAsync(ct)).Select(LogEvent.Parse);
        var missing = log.Where(one => one.Resource == resource && one.Position > last).ToList();
        // What was written before the queue was bound has no message for it.
        if (isBound) filled.UnionWith(missing.Select(one => one.Position));
        isBound = true;
        events.AddRange(missing);
    }
}
