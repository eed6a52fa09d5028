using System.ComponentModel.DataAnnotations;

namespace ApexShop.Messaging;

/// <summary>
/// The address of a broker as a text: the binder of configuration would repeat a value that is no Uri, with its
/// password, in an exception that is logged.
/// </summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class BrokerUrlAttribute() : ValidationAttribute(
    "The field {0} must be a URL that begins with amqp://, amqps:// or rabbitmq://. Characters like # and / in its "
    + "password must be percent-encoded.")
{
    public override bool IsValid(object? value) =>
        value is null
        || (Uri.TryCreate(value as string, UriKind.Absolute, out var url)
            && url.Scheme is "amqp" or "amqps" or "rabbitmq" or "rabbitmqs");
}
