using System.ComponentModel.DataAnnotations;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Messaging;

/// <summary>Section <c>Messaging</c>.</summary>
internal sealed class MessagingOptions
{
    public const string Section = "Messaging";

    [Required]
    public Uri Url { get; set; } = null!;

    [Required]
    public string Exchange { get; set; } = Topology.Exchange;

    [Required]
    public string Queue { get; set; } = Topology.ProjectorQueue;

    /// <summary>Messages the broker sends ahead, each of up to <see cref="Topology.MaxEventsPerMessage"/> events.</summary>
    [Range(1, 10_000)]
    public int Prefetch { get; set; } = 200;

    /// <summary>Messages that are read while another is applied; those that wait are applied together.</summary>
    [Range(1, 100)]
    public int Ahead { get; set; } = 8;
}

[OptionsValidator]
internal sealed partial class MessagingOptionsValidator : IValidateOptions<MessagingOptions>;
