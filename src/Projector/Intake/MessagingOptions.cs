using System.ComponentModel.DataAnnotations;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Intake;

/// <summary>Section <c>Messaging</c>.</summary>
internal sealed class MessagingOptions
{
    public const string Section = "Messaging";

    /// <summary>The address of the broker with user, password and virtual host.</summary>
    [Required]
    [BrokerUrl]
    public string Url { get; set; } = null!;

    /// <summary>The exchange that Commands.Api publishes to; the same value as there.</summary>
    [Required]
    public string Exchange { get; set; } = Topology.Exchange;

    /// <summary>The queue from which the events are consumed.</summary>
    [Required]
    public string Queue { get; set; } = Topology.ProjectorQueue;

    /// <summary>
    /// Messages that the broker sends before the earlier ones are acknowledged. Those that wait are read meanwhile, and
    /// then applied together.
    /// </summary>
    [Range(1, 10_000)]
    public int Prefetch { get; set; } = 64;

    /// <summary>Bytes of messages that are read and not applied, beyond which no further one is read.</summary>
    [Range(1, long.MaxValue)]
    public long PrefetchBytes { get; set; } = 64L << 20;

    /// <summary>
    /// How long the event log may respond without the events before a message, until the message is a dead letter.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan HolePatience { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>The URL with the scheme of the client; <c>rabbitmq</c> is that of MassTransit.</summary>
    public Uri AmqpUrl =>
        new(Url.StartsWith("rabbitmq", StringComparison.OrdinalIgnoreCase) ? $"amqp{Url["rabbitmq".Length..]}" : Url);
}

[OptionsValidator]
internal sealed partial class MessagingOptionsValidator : IValidateOptions<MessagingOptions>;
