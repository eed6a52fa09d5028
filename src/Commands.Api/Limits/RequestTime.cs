using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>How long a request may take before it is given up.</summary>
internal sealed class RequestTime(IOptions<LimitOptions> limits) : IConfigureOptions<RequestTimeoutOptions>
{
    /// <summary>Policy of a command that changes as many rows as there are, or hashes a password for each item of a list.</summary>
    public const string Long = "long";

    public void Configure(RequestTimeoutOptions options)
    {
        options.DefaultPolicy = Within(limits.Value.RequestSeconds);
        options.AddPolicy(Long, Within(limits.Value.LongRequestSeconds));
    }

    private static RequestTimeoutPolicy Within(double seconds) =>
        new() { Timeout = TimeSpan.FromSeconds(seconds), TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable };
}
