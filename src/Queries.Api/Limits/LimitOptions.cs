using System.ComponentModel.DataAnnotations;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Section <c>Limits</c>: how many requests a caller may send, and how long one may take.</summary>
internal sealed class LimitOptions
{
    public const string Section = "Limits";

    /// <summary>Parameters of one query string; no endpoint knows nearly as many.</summary>
    public const int Parameters = 32;

    /// <summary>A request that is not answered by then is given up with 503; a stream is not timed.</summary>
    [Range(0.1, 600)]
    public double RequestSeconds { get; set; } = 15;

    /// <summary>Requests with one API key.</summary>
    [ValidateObjectMembers]
    public RateOptions KeyRate { get; set; } = new() { Requests = 10_000, Burst = 20_000 };

    /// <summary>Requests without a known key, from one address: behind it may stand an office, or a shop's own pages.</summary>
    [ValidateObjectMembers]
    public RateOptions AnonymousRate { get; set; } = new() { Requests = 2_000, Burst = 10_000 };
}

[OptionsValidator]
internal sealed partial class LimitOptionsValidator : IValidateOptions<LimitOptions>;
