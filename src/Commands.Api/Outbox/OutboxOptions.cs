using System.ComponentModel.DataAnnotations;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Section <c>Outbox</c>: how the leader moves and publishes events.</summary>
internal sealed class OutboxOptions
{
    public const string Section = "Outbox";

    /// <summary>Off: this process writes the outbox but never sequences or publishes it.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Outbox rows that one statement moves to the log.</summary>
    [Range(1, 50_000)]
    public int SequencerBatch { get; set; } = 5_000;

    /// <summary>Log entries that are read, published and confirmed before the cursor moves.</summary>
    [Range(1, 10_000)]
    public int PublisherBatch { get; set; } = 1_000;

    /// <summary>Notifications wake both loops; this is how long they sleep when one got lost.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How often a process that is not the leader asks for the lock, and how long a failed leader pauses.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan LeaderRetry { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Time for a message to be confirmed.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan ConfirmTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The same while the broker is unavailable. MassTransit waits ever longer between its own attempts to connect, so short
    /// attempts of ours find a broker that came back soonest.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan ProbeTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Longest pause between two attempts to publish.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:05:00")]
    public TimeSpan MaxBackOff { get; set; } = TimeSpan.FromSeconds(2);
}

/// <summary>Section <c>Messaging</c>: where the broker is and what the exchange is called.</summary>
internal sealed class MessagingOptions
{
    public const string Section = "Messaging";

    [Required]
    public Uri? Url { get; set; }

    [Required]
    public string Exchange { get; set; } = Topology.Exchange;
}

[OptionsValidator]
internal sealed partial class OutboxOptionsValidator : IValidateOptions<OutboxOptions>;

[OptionsValidator]
internal sealed partial class MessagingOptionsValidator : IValidateOptions<MessagingOptions>;
