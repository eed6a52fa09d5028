using System.ComponentModel.DataAnnotations;

namespace ApexShop.Limits;

/// <summary>A request rate: so many requests in so many seconds; after a pause up to <c>Burst</c> together.</summary>
public sealed class RateOptions
{
    [Range(1, 1_000_000)]
    public int Requests { get; set; }

    [Range(1, 86_400)]
    public int Seconds { get; set; } = 1;

    [Range(1, 10_000_000)]
    public int Burst { get; set; }
}
