using System.Net.Mime;
using System.Text.Json;
using ApexShop.Messaging;
using MassTransit;
using MassTransit.Serialization;

namespace ApexShop.Projector.Intake;

/// <summary>Hands a body to the consumer as it came, whatever its content type; the consumer reads it.</summary>
internal sealed class EventMessageSerializer()
    : SystemTextJsonRawMessageSerializer(RawSerializerOptions.AnyMessageType),
    ISerializerFactory, IMessageSerializer, IMessageDeserializer
{
    private static readonly ContentType batch = new(Topology.ContentType);

    ContentType ISerializerFactory.ContentType => batch;

    ContentType IMessageSerializer.ContentType => batch;

    ContentType IMessageDeserializer.ContentType => batch;

    public IMessageSerializer CreateSerializer() => this;

    public IMessageDeserializer CreateDeserializer() => this;

    ConsumeContext IMessageDeserializer.Deserialize(ReceiveContext receiveContext)
    {
        var headers = new RawMessageContext(
            receiveContext.TransportHeaders, receiveContext.InputAddress, RawSerializerOptions.AnyMessageType);
        return new BodyConsumeContext(receiveContext, new Context(headers, receiveContext.Body));
    }

    private sealed class Context(MessageContext message, MessageBody body) : SystemTextJsonRawSerializerContext(
        SystemTextJsonMessageSerializer.Instance, SystemTextJsonMessageSerializer.Options, batch, message, [],
        RawSerializerOptions.AnyMessageType, default(JsonElement))
    {
        public override bool TryGetMessage<T>(out T? message)
            where T : class
        {
            message = typeof(T) == typeof(EventMessage) ? new EventMessage(body.GetBytes()) as T : null;
            return message is not null;
        }
    }
}
