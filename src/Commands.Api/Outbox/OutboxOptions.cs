using System.ComponentModel.DataAnnotations;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Section <c>Outbox</c>: how the leader sequences and publishes events.</summary>
internal sealed class OutboxOptions
{
    public const string Section = "Outbox";

    /// <summary>False: this process writes to the outbox, but never sequences or publishes events.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Outbox rows that one statement moves to the log.</summary>
    [Range(1, 50_000)]
    public int SequencerBatch { get; set; } = 5_000;

    /// <summary>Log entries that are read, published and confirmed before the cursor moves.</summary>
    [Range(1, 10_000)]
    public int PublisherBatch { get; set; } = 1_000;

    /// <summary>How often the outbox and the log are read without a notification.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How often other processes try to take the leader's lease, and how long a failed leader waits.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan LeaderRetry { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>How long a process leads that does not renew its lease, since it hangs or is cut off.</summary>
    [Range(typeof(TimeSpan), "00:00:00.500", "00:05:00")]
    public TimeSpan Lease { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long a leader that does not reach the broker leads before it offers the lead to a process that does.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan OfferAfter { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Time limit for the confirm of a message.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan ConfirmTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Time limit for the confirm of a message while the broker is unavailable; every fourth attempt has
    /// <see cref="ConfirmTimeout"/>. MassTransit increases the pauses between its own attempts, so short attempts
    /// detect a recovered broker sooner.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan ProbeTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How often a process that publishes nothing tests whether the broker confirms a message.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan ProbeInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Longest pause between two attempts to publish.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:05:00")]
    public TimeSpan MaxBackOff { get; set; } = TimeSpan.FromSeconds(2);
}

/// <summary>Section <c>Messaging</c>: the address of the broker and the name of the exchange.</summary>
internal sealed class MessagingOptions
{
    public const string Section = "Messaging";

    /// <summary>The address of the broker with user, password and virtual host.</summary>
    [Required]
    [BrokerUrl]
    public string Url { get; set; } = null!;

    /// <summary>The exchange to which events are published.</summary>
    [Required]
    public string Exchange { get; set; } = Topology.Exchange;
}

[OptionsValidator]
internal sealed partial class OutboxOptionsValidator : IValidateOptions<OutboxOptions>;

[OptionsValidator]
internal sealed partial class MessagingOptionsValidator : IValidateOptions<MessagingOptions>;
