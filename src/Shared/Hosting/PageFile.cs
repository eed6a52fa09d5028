using System.Reflection;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Hosting;

/// <summary>
/// One file of a page that a process serves. It is part of the assembly: there is no folder to find, so the page is the
/// same wherever and however the process was started.
/// </summary>
public sealed class PageFile
{
    /// <summary>The file that a page begins with.</summary>
    public const string Entry = "index.html";

    // Nothing inline, nothing from elsewhere, and no text that could turn into markup (require-trusted-types-for).
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private readonly string mediaType;

    private PageFile(string name, byte[] content)
    {
        (Name, Content, mediaType) = (name, content, MediaType(name));
        EntityTag = $"\"{Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 8))}\"";
    }

    /// <summary>Its name in the folder.</summary>
    public string Name { get; }

    public ReadOnlyMemory<byte> Content { get; }

    /// <summary>Of the bytes as they are, quoted.</summary>
    public string EntityTag { get; }

    /// <summary>The files that <paramref name="assembly"/> has as resources named <c>folder/name</c>.</summary>
    public static IReadOnlyList<PageFile> In(Assembly assembly, string folder) =>
    [
        .. from resource in assembly.GetManifestResourceNames()
           where resource.StartsWith(folder + '/', StringComparison.Ordinal)
           select new PageFile(resource[(folder.Length + 1)..], Read(assembly, resource)),
    ];

    /// <summary>Answers with the bytes as they are.</summary>
    public Task AnswerAsync(HttpContext http) => AnswerAsync(http, Content, EntityTag);

    /// <summary>Answers with a form of the bytes that has a tag of its own.</summary>
    public Task AnswerAsync(HttpContext http, ReadOnlyMemory<byte> form, string entityTag)
    {
        var headers = http.Response.Headers;
        // The names carry no version: a browser keeps the files and asks each time whether they are still the same.
        headers.CacheControl = "no-cache";
        PageHeaders.Harden(headers, Policy);
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        return TypedResults.Bytes(form, mediaType, entityTag: new EntityTagHeaderValue(entityTag)).ExecuteAsync(http);
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
        _ => throw new InvalidOperationException($"A page has no media type for {name}."),
    };
}
