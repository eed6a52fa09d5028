using System.Net.Mime;
using ApexShop.Messaging;
using MassTransit;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>A message: a serialized JSON array of CloudEvents.</summary>
internal sealed record CloudEventsBatch(byte[] Body);

/// <summary>Sends the body without MassTransit's envelope, for consumers that do not use MassTransit.</summary>
internal sealed class CloudEventsSerializer : ISerializerFactory, IMessageSerializer
{
    public ContentType ContentType { get; } = new(Topology.ContentType);

    public IMessageSerializer CreateSerializer() => this;

    public IMessageDeserializer CreateDeserializer() => throw new NotSupportedException("This process only publishes.");

    public MessageBody GetMessageBody<T>(SendContext<T> context)
        where T : class =>
        context.Message is CloudEventsBatch batch
            ? new BytesMessageBody(batch.Body)
            : throw new NotSupportedException($"{typeof(T)} is not a batch of events.");
}
