using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Refuses a body before it is read that is compressed, of another media type than the endpoint's, or in another
/// charset than UTF-8 (RFC 8259, section 8.1). Routing refuses media types that are no JSON before; the refusal of a
/// coding or of another JSON type names what is supported (RFC 9110, section 15.5.16; for PATCH RFC 5789).
/// </summary>
internal static class BodyHeaders
{
    private const string NoCoding = "identity";

    private static readonly Problem compressed = new(
        StatusCodes.Status415UnsupportedMediaType,
        "content_type.unsupported",
        "The body must not be compressed: send it without Content-Encoding.");

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        string? coding = http.Request.Headers.ContentEncoding;
        if (!string.IsNullOrEmpty(coding) && !coding.Equals(NoCoding, StringComparison.OrdinalIgnoreCase))
        {
            http.Response.Headers.AcceptEncoding = NoCoding;
            return CommandResponses.ToHttp(compressed).ExecuteAsync(http);
        }

        if (!MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var type)) return next(http);
        var accepted = http.GetEndpoint()?.Metadata.GetMetadata<IAcceptsMetadata>()?.ContentTypes;
        // Without this check the framework takes every application/*+json for JSON.
        if (accepted?.Any(one => type.MediaType.Equals(one, StringComparison.OrdinalIgnoreCase)) is false)
        {
            var header = HttpMethods.IsPatch(http.Request.Method) ? "Accept-Patch" : HeaderNames.Accept;
            http.Response.Headers[header] = string.Join(", ", accepted);
            return Refuse(http);
        }

        var charsets = type.Parameters.Where(IsCharset).ToArray();
        if (charsets is []) return next(http);
        if (charsets is not [var charset] || !IsUtf8(charset)) return Refuse(http);
        // Nothing uses it after this, and the framework fails on a charset in quotation marks.
        type.Parameters.Remove(charset);
        http.Request.ContentType = type.ToString();
        return next(http);
    }

    private static Task Refuse(HttpContext http)
    {
        http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
        return Task.CompletedTask;
    }

    private static bool IsCharset(NameValueHeaderValue parameter) =>
        parameter.Name.Equals("charset", StringComparison.OrdinalIgnoreCase);

    private static bool IsUtf8(NameValueHeaderValue charset) =>
        charset.GetUnescapedValue().Equals("utf-8", StringComparison.OrdinalIgnoreCase);
}
