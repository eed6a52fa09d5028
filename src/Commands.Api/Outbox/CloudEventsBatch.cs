using System.Net.Mime;
using ApexShop.Messaging;
using MassTransit;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>One message: a JSON array of CloudEvents that is already written.</summary>
internal sealed record CloudEventsBatch(byte[] Body);

/// <summary>Lets the body pass as it is: other consumers than MassTransit's read it too, so it has no envelope.</summary>
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
