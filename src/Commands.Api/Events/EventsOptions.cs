using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>Section <c>Events</c>: how the event log is served.</summary>
internal sealed class EventsOptions : IValidatableObject
{
    private const long LeastKeepBytes = 1_000_000;

    public const string Section = "Events";

    /// <summary>Most connections for reading the log; a request uses one only while a page is read.</summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 8;

    /// <summary>
    /// Most readers of the log at a time, without those whose response has at most 1000 events or is of chosen
    /// aggregates; a further one is refused with 503.
    /// </summary>
    [Range(1, 1000)]
    public int Readers { get; set; } = 16;

    /// <summary>Most followers at a time, half of them with one key; a further one is refused with 503.</summary>
    [Range(1, 10_000)]
    public int Followers { get; set; } = 256;

    /// <summary>
    /// Events kept in memory for followers, at most 32 MB; a follower that is further behind reads from the log.
    /// </summary>
    [Range(1, 1_000_000)]
    public int TailEvents { get; set; } = 4_096;

    /// <summary>
    /// An event is removed when a later event of its aggregate is older than this; 0 sets no time.
    /// </summary>
    [Range(0, 3650)]
    public int KeepDays { get; set; }

    /// <summary>
    /// Events are removed before <see cref="KeepDays"/>, but never on their first day, while those that were not
    /// compacted yet take more than this; 0, or at least a megabyte. 0 sets no limit.
    /// </summary>
    [Range(0, 1_000_000_000_000_000d)]
    public long KeepBytes { get; set; }

    /// <summary>How long the feed waits without a notification before it reads the log.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// After so long without an event a comment, in <c>GET /events</c> an empty line, is sent, to keep the connection
    /// alive. A rebuild requires less than 30 seconds.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:10:00")]
    public TimeSpan Heartbeat { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>How long followers are to wait before they connect again.</summary>
    [Range(0, 600_000)]
    public int RetryMilliseconds { get; set; } = 2_000;

    /// <summary>A client that reads more slowly than this for <see cref="StallSeconds"/> is disconnected.</summary>
    [Range(1, 1_000_000_000)]
    public int SlowestBytesPerSecond { get; set; } = 16 * 1024;

    /// <summary>How long a client may read more slowly than <see cref="SlowestBytesPerSecond"/>.</summary>
    [Range(2, 3600)]
    public int StallSeconds { get; set; } = 5;

    /// <summary>Whether old events are removed.</summary>
    internal bool RemovesEvents => KeepDays > 0 || KeepBytes > 0;

    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext) =>
        KeepBytes is > 0 and < LeastKeepBytes
            ? [new($"{Section}:{nameof(KeepBytes)} must be 0, or at least {LeastKeepBytes}.", [nameof(KeepBytes)])]
            : [];
}

[OptionsValidator]
internal sealed partial class EventsOptionsValidator : IValidateOptions<EventsOptions>;
