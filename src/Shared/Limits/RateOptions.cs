using System.ComponentModel.DataAnnotations;

namespace ApexShop.Limits;

/// <summary>A request rate: so many requests in so many seconds; after a pause up to <c>Burst</c> together.</summary>
public sealed class RateOptions
{
    /// <summary>Requests in <see cref="Seconds"/>; more are refused with 429.</summary>
    [Range(1, 1_000_000)]
    public int Requests { get; set; }

    /// <summary>The period in which <see cref="Requests"/> are allowed.</summary>
    [Range(1, 86_400)]
    public int Seconds { get; set; } = 1;

    /// <summary>Requests at once, after a pause.</summary>
    [Range(1, 10_000_000)]
    public int Burst { get; set; }
}
