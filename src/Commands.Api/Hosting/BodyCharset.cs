using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>JSON is UTF-8 (RFC 8259, section 8.1): a body with another charset is refused before it is read.</summary>
internal static class BodyCharset
{
    private const string Charset = "charset";

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var type)) return next(http);
        if (CharsetOf(type) is not { } charset) return next(http);
        if (!charset.GetUnescapedValue().Equals("utf-8", StringComparison.OrdinalIgnoreCase))
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            return Task.CompletedTask;
        }

        // Nothing uses it after this, and the framework fails on a charset in quotation marks.
        type.Parameters.Remove(charset);
        http.Request.ContentType = type.ToString();
        return next(http);
    }

    private static NameValueHeaderValue? CharsetOf(MediaTypeHeaderValue type) =>
        type.Parameters.FirstOrDefault(parameter => parameter.Name.Equals(Charset, StringComparison.OrdinalIgnoreCase));
}
