using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Hosting;

/// <summary>
/// One file of a page that a process serves. The files are embedded in the assembly, so a page does not depend on the
/// folder in which the process was started.
/// </summary>
public sealed class WebPageFile
{
    /// <summary>The start file of a page.</summary>
    public const string Entry = "index.html";

    /// <summary>No inline code, no other origins, and no text that is parsed as markup.</summary>
    public const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private readonly string mediaType;

    private WebPageFile(string name, byte[] content)
    {
        (Name, Content, mediaType) = (name, content, MediaType(name));
        EntityTag = $"\"{Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 8))}\"";
    }

    /// <summary>The name without the folder.</summary>
    public string Name { get; }

    public ReadOnlyMemory<byte> Content { get; }

    /// <summary>The ETag of <see cref="Content"/>, with quotes.</summary>
    public string EntityTag { get; }

    /// <summary>The embedded resources of <paramref name="assembly"/> that are named <c>folder/name</c>.</summary>
    public static IReadOnlyList<WebPageFile> In(Assembly assembly, string folder) =>
    [
        .. from resource in assembly.GetManifestResourceNames()
           where resource.StartsWith(folder + '/', StringComparison.Ordinal)
           select new WebPageFile(resource[(folder.Length + 1)..], Read(assembly, resource)),
    ];

    /// <summary><see cref="Policy"/> for a page that sends requests to one other origin too.</summary>
    public static string PolicyWith(string origin) =>
        Policy.Replace("connect-src 'self'", $"connect-src 'self' {origin}".TrimEnd(), StringComparison.Ordinal);

    /// <summary>The text file with a value, which is markup already, at a place of it.</summary>
    public WebPageFile Fill(string place, string value) => new(Name, Encoding.UTF8.GetBytes(
        Encoding.UTF8.GetString(Content.Span).Replace(place, value, StringComparison.Ordinal)));

    /// <summary>Sends <see cref="Content"/>.</summary>
    public Task SendAsync(HttpContext http, string policy = Policy) =>
        SendAsync(http, Content, EntityTag, policy);

    /// <summary>Sends another encoding of the content, which has its own ETag.</summary>
    public Task SendAsync(
        HttpContext http, ReadOnlyMemory<byte> content, string entityTag, string policy = Policy)
    {
        var headers = http.Response.Headers;
        // File names contain no version, so a browser must revalidate its cached copy each time.
        headers.CacheControl = "no-cache";
        WebPageHeaders.Harden(headers, policy);
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        return TypedResults.Bytes(content, mediaType, entityTag: new EntityTagHeaderValue(entityTag))
            .ExecuteAsync(http);
    }

    private static byte[] Read(Assembly assembly, string resource)
    {
        using var stream = assembly.GetManifestResourceStream(resource)!;
        var content = new byte[stream.Length];
        stream.ReadExactly(content);
        return content;
    }

    private static string MediaType(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".svg" => "image/svg+xml",
        _ => throw new InvalidOperationException($"There is no media type for {name}."),
    };
}
