using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>Section <c>Events</c>: how the log is read.</summary>
internal sealed class EventsOptions
{
    public const string Section = "Events";

    /// <summary>Most connections of all who read the log; each needs one only while a part is read.</summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 8;

    /// <summary>Most who follow the log at a time; one more is told to come back later.</summary>
    [Range(1, 10_000)]
    public int Followers { get; set; } = 256;

    /// <summary>Events kept in memory for those who follow; who is further behind reads the log.</summary>
    [Range(1, 1_000_000)]
    public int TailEvents { get; set; } = 4_096;

    /// <summary>Notifications wake the tail; this is how long it sleeps when one got lost.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>After so long without an event a follower is told that the line still stands.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:10:00")]
    public TimeSpan Heartbeat { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>How long a follower is asked to wait before he comes back.</summary>
    [Range(0, 600_000)]
    public int RetryMilliseconds { get; set; } = 2_000;

    /// <summary>Whoever takes less than this, for as long as <see cref="StallSeconds"/> and a part, is cut off.</summary>
    [Range(1, 1_000_000_000)]
    public int SlowestBytesPerSecond { get; set; } = 16 * 1024;

    [Range(2, 3600)]
    public int StallSeconds { get; set; } = 5;
}

[OptionsValidator]
internal sealed partial class EventsOptionsValidator : IValidateOptions<EventsOptions>;
