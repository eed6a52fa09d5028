using ApexShop.Commands.Api.Commands;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Admin;

/// <summary>The page as this process is configured: it reads from the public address of Queries.Api.</summary>
internal sealed class AdminPage(IOptions<PublicUrlsOptions> urls)
{
    private readonly WebPageFile file = WebPageFile.In(typeof(AdminPage).Assembly, "admin").Single()
        .Fill("{{queries}}", new Uri(urls.Value.Queries).AbsoluteUri.TrimEnd('/'));

    private readonly string policy = WebPageFile.PolicyWith(
        new Uri(urls.Value.Queries).GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped));

    public Task SendAsync(HttpContext http) => file.SendAsync(http, policy);
}
