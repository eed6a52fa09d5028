using ApexShop.Hosting;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>A file beside the page of the storefront, compressed as the browser prefers.</summary>
internal sealed class StorefrontFile(WebPageFile file)
{
    public const string Folder = "storefront";

    private readonly CompressedForms forms = new(file.Content);

    public static IReadOnlyList<StorefrontFile> All { get; } =
    [
        .. from file in WebPageFile.In(typeof(StorefrontFile).Assembly, Folder)
           where file.Name != WebPageFile.Entry
           select new StorefrontFile(file),
    ];

    public string Path => $"/{Folder}/{file.Name}";

    public Task SendAsync(HttpContext http)
    {
        var coding = CodingOf(http);
        return file.SendAsync(http, forms.In(coding), coding.ETagOf(file.EntityTag));
    }

    private ContentCoding CodingOf(HttpContext http)
    {
        if (file.Content.Length < ContentCoding.LeastBytes) return ContentCoding.Identity;
        http.Response.Headers.Vary = "Accept-Encoding";
        var coding = ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
        if (coding != ContentCoding.Identity) http.Response.Headers.ContentEncoding = coding.Name;
        return coding;
    }
}
