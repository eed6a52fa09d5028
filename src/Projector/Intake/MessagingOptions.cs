using System.ComponentModel.DataAnnotations;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Intake;

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

    /// <summary>
    /// Messages that the broker sends ahead, each with up to <see cref="Topology.MaxEventsPerMessage"/> events. Those
    /// that wait are read meanwhile, and then applied together.
    /// </summary>
    [Range(1, 10_000)]
    public int Prefetch { get; set; } = 64;
}

[OptionsValidator]
internal sealed partial class MessagingOptionsValidator : IValidateOptions<MessagingOptions>;
