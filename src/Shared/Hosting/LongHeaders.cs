using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Hosting;

/// <summary>
/// The headers that the framework reads for a file: if one is not valid, reading it takes a time that grows with the
/// square of its length.
/// </summary>
public static class LongHeaders
{
    /// <summary>More characters than several ETags, or than the codings of any browser, have.</summary>
    public const int MaxLength = 256;

    /// <summary>
    /// Ignores longer ones in a request that changes nothing: its response is the whole content, or is not compressed.
    /// </summary>
    public static void UseShortHeaders(this IApplicationBuilder app) => app.Use((http, next) =>
    {
        if (HttpMethods.IsGet(http.Request.Method) || HttpMethods.IsHead(http.Request.Method))
        {
            var headers = http.Request.Headers;
            if (IsLong(headers.IfNoneMatch)) headers.IfNoneMatch = default;
            if (IsLong(headers.IfMatch)) headers.IfMatch = default;
            if (IsLong(headers.AcceptEncoding)) headers.AcceptEncoding = default;
        }

        return next(http);
    });

    private static bool IsLong(StringValues lines)
    {
        var length = 0;
        foreach (var line in lines) length += line?.Length ?? 0;
        return length > MaxLength;
    }
}
