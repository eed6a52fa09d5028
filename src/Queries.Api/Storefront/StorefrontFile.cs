using ApexShop.Hosting;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>One file of the storefront, coded as the browser likes it best.</summary>
internal sealed class StorefrontFile(PageFile file)
{
    private const string Folder = "storefront";

    private readonly CodedForms forms = new(file.Content);

    public static IReadOnlyList<StorefrontFile> All { get; } =
        [.. PageFile.In(typeof(StorefrontFile).Assembly, Folder).Select(file => new StorefrontFile(file))];

    public string Path => file.Name == PageFile.Entry ? "/" : $"/{Folder}/{file.Name}";

    public Task AnswerAsync(HttpContext http)
    {
        var coding = CodingOf(http);
        return file.AnswerAsync(http, forms.In(coding), coding.TagOf(file.EntityTag));
    }

    private ContentCoding CodingOf(HttpContext http)
    {
        if (file.Content.Length < ContentCoding.LeastBytes) return ContentCoding.Plain;
        http.Response.Headers.Vary = "Accept-Encoding";
        var coding = ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
        if (coding != ContentCoding.Plain) http.Response.Headers.ContentEncoding = coding.Name;
        return coding;
    }
}
