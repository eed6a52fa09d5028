namespace ApexShop.Limits;

/// <summary>One limit of GET /limits, and the response when a caller exceeds it.</summary>
public sealed record LimitLine(string Name, long Value, string Unit, string Beyond)
{
    /// <summary>The limits of a request rate.</summary>
    public static IEnumerable<LimitLine> OfRate(string caller, RateOptions rate) =>
    [
        new($"{caller}Requests", rate.Requests, $"requests in {rate.Seconds} s", "429 rate.exceeded"),
        new($"{caller}Burst", rate.Burst, "requests at once", "429 rate.exceeded"),
    ];
}
