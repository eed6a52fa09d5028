using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What one request may take, in bytes and in time.</summary>
internal static class HttpLimits
{
    /// <summary>Policy of a command that changes as many rows as there are.</summary>
    public const string SetBased = "set-based";

    private const long MaxBody = 10 * 1024 * 1024;

    private static readonly TimeSpan maxDuration = TimeSpan.FromSeconds(30);

    // A thousand rows take up to 100 ms with their events: time for a few million.
    private static readonly TimeSpan maxSetBasedDuration = TimeSpan.FromMinutes(5);

    public static void Apply(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxRequestBodySize = MaxBody;
        kestrel.Limits.RequestHeadersTimeout = TimeSpan.FromSeconds(10);
    }

    public static void Apply(RequestTimeoutOptions timeouts)
    {
        timeouts.DefaultPolicy = Within(maxDuration);
        timeouts.AddPolicy(SetBased, Within(maxSetBasedDuration));
    }

    private static RequestTimeoutPolicy Within(TimeSpan time) =>
        new() { Timeout = time, TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable };
}
