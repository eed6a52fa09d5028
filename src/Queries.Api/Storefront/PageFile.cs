using System.Security.Cryptography;
using ApexShop.Queries.Api.Compression;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>
/// One file of the page. It is part of the assembly: there is no folder to find, so the page is the same wherever and
/// however the process was started.
/// </summary>
internal sealed class PageFile
{
    private const string Prefix = "storefront/";
    private const string Entry = "index.html";

    // Nothing inline, nothing from elsewhere, and no text that could turn into markup (require-trusted-types-for).
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private readonly byte[] content;
    private readonly CodedForms forms;
    private readonly string mediaType;
    private readonly string entityTag;

    private PageFile(string resource)
    {
        using var stream = typeof(PageFile).Assembly.GetManifestResourceStream(resource)!;
        content = new byte[stream.Length];
        stream.ReadExactly(content);
        forms = new CodedForms(content);
        mediaType = MediaType(resource);
        entityTag = $"\"{Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 8))}\"";
        Path = resource == Prefix + Entry ? "/" : $"/{resource}";
    }

    public static IReadOnlyList<PageFile> All { get; } =
    [
        .. from resource in typeof(PageFile).Assembly.GetManifestResourceNames()
           where resource.StartsWith(Prefix, StringComparison.Ordinal)
           select new PageFile(resource),
    ];

    public string Path { get; }

    public Task AnswerAsync(HttpContext http)
    {
        var headers = http.Response.Headers;
        // The names carry no version: a browser keeps the files and asks each time whether they are still the same.
        headers.CacheControl = "no-cache";
        headers.ContentSecurityPolicy = Policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        var coding = CodingOf(http);
        return TypedResults.Bytes(forms.In(coding), mediaType, entityTag: new EntityTagHeaderValue(coding.TagOf(entityTag)))
            .ExecuteAsync(http);
    }

    private ContentCoding CodingOf(HttpContext http)
    {
        if (content.Length < ContentCoding.LeastBytes) return ContentCoding.Plain;
        http.Response.Headers.Vary = "Accept-Encoding";
        var coding = ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
        if (coding != ContentCoding.Plain) http.Response.Headers.ContentEncoding = coding.Name;
        return coding;
    }

    private static string MediaType(string name) => System.IO.Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".svg" => "image/svg+xml",
        _ => throw new InvalidOperationException($"The storefront has no media type for {name}."),
    };
}
