using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What one request may take, in bytes and in time.</summary>
internal static class HttpLimits
{
    /// <summary>Policy of the commands that hash a password for each item of a list.</summary>
    public const string ManyPasswords = nameof(ManyPasswords);

    /// <summary>Policy of a command that changes as many rows as there are.</summary>
    public const string SetBased = "set-based";

    private const long MaxBody = 10 * 1024 * 1024;

    private static readonly TimeSpan maxDuration = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan maxHashing = TimeSpan.FromMinutes(5);

    // A million rows took half a minute where this was written.
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
        timeouts.AddPolicy(ManyPasswords, Within(maxHashing));
    }

    private static RequestTimeoutPolicy Within(TimeSpan time) =>
        new() { Timeout = time, TimeoutStatusCode = StatusCodes.Status503ServiceUnavailable };
}
