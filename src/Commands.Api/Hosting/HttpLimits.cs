using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What one request may take, in bytes and in time.</summary>
internal static class HttpLimits
{
    private const long MaxBody = 10 * 1024 * 1024;

    private static readonly TimeSpan maxDuration = TimeSpan.FromSeconds(30);

    public static void Apply(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxRequestBodySize = MaxBody;
        kestrel.Limits.RequestHeadersTimeout = TimeSpan.FromSeconds(10);
    }

    public static void Apply(RequestTimeoutOptions timeouts) => timeouts.DefaultPolicy = new RequestTimeoutPolicy
    {
        Timeout = maxDuration,
        TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable,
    };
}
