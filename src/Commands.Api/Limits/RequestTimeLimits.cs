using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>The time limits of requests.</summary>
internal sealed class RequestTimeLimits(IOptions<LimitOptions> limits) : IConfigureOptions<RequestTimeoutOptions>
{
    /// <summary>The policy of a command that changes any number of rows, or hashes a password for each item.</summary>
    public const string Long = "long";

    public void Configure(RequestTimeoutOptions options)
    {
        options.DefaultPolicy = Within(limits.Value.RequestSeconds);
        options.AddPolicy(Long, Within(limits.Value.LongRequestSeconds));
    }

    private static RequestTimeoutPolicy Within(double seconds) =>
        new() { Timeout = TimeSpan.FromSeconds(seconds), TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable };
}
