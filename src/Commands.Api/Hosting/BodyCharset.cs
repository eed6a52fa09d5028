using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>JSON is UTF-8 (RFC 8259, section 8.1); a charset that says otherwise is refused before anything reads the body.</summary>
internal static class BodyCharset
{
    private const string Charset = "charset";

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var type) || CharsetOf(type) is not { } charset) return next(http);
        if (!charset.GetUnescapedValue().Equals("utf-8", StringComparison.OrdinalIgnoreCase))
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            return Task.CompletedTask;
        }

        // Nobody reads it again: the framework fails over one in quotation marks.
        type.Parameters.Remove(charset);
        http.Request.ContentType = type.ToString();
        return next(http);
    }

    private static NameValueHeaderValue? CharsetOf(MediaTypeHeaderValue type) =>
        type.Parameters.FirstOrDefault(parameter => parameter.Name.Equals(Charset, StringComparison.OrdinalIgnoreCase));
}
