using System.ComponentModel.DataAnnotations;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Section <c>Limits</c>: the rates of callers, and the time of a request.</summary>
internal sealed class LimitOptions
{
    public const string Section = "Limits";

    /// <summary>A request that takes longer is answered with 503; streams have no time limit.</summary>
    [Range(0.1, 600)]
    public double RequestSeconds { get; set; } = 15;

    /// <summary>The rate of requests with one API key.</summary>
    [ValidateObjectMembers]
    public RateOptions KeyRate { get; set; } = new() { Requests = 10_000, Burst = 20_000 };

    /// <summary>The rate of requests without a known key from one address, which may be a whole office.</summary>
    [ValidateObjectMembers]
    public RateOptions AnonymousRate { get; set; } = new() { Requests = 2_000, Burst = 10_000 };
}

[OptionsValidator]
internal sealed partial class LimitOptionsValidator : IValidateOptions<LimitOptions>;
