using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>JSON is UTF-8 (RFC 8259, section 8.1); a charset that says otherwise is refused before anything reads the body.</summary>
internal static class BodyCharset
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (IsUtf8(http.Request.ContentType)) return next(http);
        http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
        return Task.CompletedTask;
    }

    private static bool IsUtf8(string? contentType) =>
        !MediaTypeHeaderValue.TryParse(contentType, out var type)
        || type.Parameters.All(parameter =>
            !parameter.Name.Equals("charset", StringComparison.OrdinalIgnoreCase)
            || parameter.GetUnescapedValue().Equals("utf-8", StringComparison.OrdinalIgnoreCase));
}
