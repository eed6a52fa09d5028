using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ApexShop.Limits;

/// <summary>
/// Limits of the request line and the headers; the server refuses what exceeds them with a status only.
/// </summary>
public static class RequestHeadLimits
{
    public const int RequestLineBytes = 8 * 1024;
    public const int HeaderCount = 100;
    public const int HeaderBytes = 32 * 1024;

    public static IEnumerable<LimitLine> Lines { get; } =
    [
        new("requestLine", RequestLineBytes, "bytes", "414, without a body"),
        new("headers", HeaderCount, "headers", "431, without a body"),
        new("headerBytes", HeaderBytes, "bytes", "431, without a body"),
    ];

    public static void Apply(KestrelServerLimits kestrel)
    {
        kestrel.MaxRequestLineSize = RequestLineBytes;
        kestrel.MaxRequestHeaderCount = HeaderCount;
        kestrel.MaxRequestHeadersTotalSize = HeaderBytes;
        kestrel.RequestHeadersTimeout = TimeSpan.FromSeconds(10);
    }
}
