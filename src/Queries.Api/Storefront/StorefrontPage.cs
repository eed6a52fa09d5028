using System.Text;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Endpoints;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>The storefront's page as this process is configured. Its scripts show the view of the address.</summary>
internal sealed class StorefrontPage
{
    private const string ContentType = "text/html; charset=utf-8";

    private readonly PageTemplate template;
    private readonly string commands;
    private readonly string policy;

    public StorefrontPage(IOptions<StorefrontOptions> options)
    {
        var file = WebPageFile.In(typeof(StorefrontPage).Assembly, StorefrontFile.Folder)
            .Single(one => one.Name == WebPageFile.Entry);
        template = new PageTemplate(Encoding.UTF8.GetString(file.Content.Span));
        commands = options.Value.CommandsUrl;
        policy = WebPageFile.PolicyWith(commands);
        Empty = CachedResponse.Of(Fill(new()
        {
            ["title"] = "ApexShop",
            ["head"] = """<meta name="description" content="All products of the shop.">""",
            ["article"] = "hidden",
        }));
    }

    /// <summary>The addresses of the page beside those of products.</summary>
    public IEnumerable<string> Paths => commands.Length == 0 ? ["/"] : ["/", "/cart", "/sign-in", "/my-orders"];

    /// <summary>The page without a product. Another file or another setting gives it another ETag.</summary>
    public CachedResponse Empty { get; }

    public byte[] Fill(Dictionary<string, string> values)
    {
        values["commands"] = commands;
        return template.Fill(values);
    }

    public Task SendAsync(HttpContext http) => SendAsync(http, Empty);

    public Task SendAsync(HttpContext http, CachedResponse page)
    {
        SetPolicy(http);
        // A browser revalidates its copy each time.
        return JsonResponse.WriteAsync(http, page, "no-cache", mayBeCompressed: true, ContentType);
    }

    /// <summary>Sends a page whose product does not exist.</summary>
    public Task SendMissingAsync(HttpContext http, byte[] page)
    {
        http.Response.StatusCode = StatusCodes.Status404NotFound;
        return SendUncachedAsync(http, page);
    }

    /// <summary>Sends the page when the product cannot be read now; its script offers to try again.</summary>
    public Task SendUnavailableAsync(HttpContext http) => SendUncachedAsync(http, Empty.Body);

    private async Task SendUncachedAsync(HttpContext http, ReadOnlyMemory<byte> page)
    {
        SetPolicy(http);
        http.Response.Headers.CacheControl = "no-store";
        http.Response.ContentType = ContentType;
        http.Response.ContentLength = page.Length;
        await http.Response.BodyWriter.WriteAsync(page, CancellationToken.None);
    }

    private void SetPolicy(HttpContext http)
    {
        WebPageHeaders.Harden(http.Response.Headers, policy);
        http.Response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
    }
}
