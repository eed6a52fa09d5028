using ApexShop.TestKit.Packages;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Storefront.Tests;

/// <summary>A page of another origin than the shop's, with the installed npm package as an ES module.</summary>
public sealed class PartnerPage : IAsyncDisposable
{
    private const string Page = """
        <!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">
        <script type="module">
          import { ShopClient, ShopProblem } from '/node_modules/@apexshop/client/index.js';
          Object.assign(window, { ShopClient, ShopProblem });
        </script></html>
        """;

    private readonly NodePackage package = new();
    private readonly WebApplication server;

    private PartnerPage()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        server = builder.Build();
        server.MapGet("/", () => Results.Text(Page, "text/html"));
        server.MapGet("/node_modules/{**file}", async (string file) =>
            Results.File(Path.Combine(await package.InstalledAsync(), "node_modules", file), "text/javascript"));
    }

    public Uri Url => new(server.Urls.Single());

    public static async Task<PartnerPage> OpenAsync()
    {
        var page = new PartnerPage();
        await page.server.StartAsync();
        return page;
    }

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        package.Dispose();
    }
}
