using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>How long a request may take before it is given up.</summary>
internal sealed class RequestTime(IOptions<LimitOptions> limits) : IConfigureOptions<RequestTimeoutOptions>
{
    /// <summary>Policy of a command that changes as many rows as there are.</summary>
    public const string SetBased = "set-based";

    public void Configure(RequestTimeoutOptions options)
    {
        options.DefaultPolicy = Within(limits.Value.RequestSeconds);
        options.AddPolicy(SetBased, Within(limits.Value.SetBasedSeconds));
    }

    private static RequestTimeoutPolicy Within(double seconds) =>
        new() { Timeout = TimeSpan.FromSeconds(seconds), TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable };
}
