using MassTransit;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>The exchange of the events, to which the leader publishes.</summary>
internal interface IEventBus
{
    /// <summary>
    /// Returns when the broker has confirmed the message. It is durable and mandatory: when no queue is bound, this
    /// throws <see cref="MessageReturnedException"/>.
    /// </summary>
    /// <exception cref="TimeoutException">
    /// No confirm within <paramref name="limit"/>; the message may have arrived.
    /// </exception>
    Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct);

    /// <summary>Returns when the broker has confirmed a message that no queue receives.</summary>
    /// <exception cref="TimeoutException">No confirm within <paramref name="limit"/>.</exception>
    Task ProbeAsync(TimeSpan limit, CancellationToken ct);
}
