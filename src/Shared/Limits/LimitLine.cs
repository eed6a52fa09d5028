namespace ApexShop.Limits;

/// <summary>A limit by name, and what a caller who goes beyond it is told.</summary>
public sealed record LimitLine(string Name, long Value, string Unit, string Beyond)
{
    /// <summary>What both APIs say of how often a caller may call.</summary>
    public static IEnumerable<LimitLine> OfRate(string who, RateOptions rate) =>
    [
        new($"{who}Requests", rate.Requests, $"requests in {rate.Seconds} s", "429 rate.exceeded"),
        new($"{who}Burst", rate.Burst, "requests at once", "429 rate.exceeded"),
    ];
}
