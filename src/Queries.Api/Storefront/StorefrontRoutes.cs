using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>
/// The page of the storefront and its files, the pages of products, and the pictures of the sample shop.
/// </summary>
internal static class StorefrontRoutes
{
    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapStorefront(this WebApplication app)
    {
        var page = ActivatorUtilities.CreateInstance<StorefrontPage>(app.Services);
        RequestDelegate open = page.SendAsync;
        foreach (var path in page.Paths) app.MapMethods(path, methods, open).ExcludeFromDescription();
        foreach (var file in StorefrontFile.All)
        {
            RequestDelegate send = file.SendAsync;
            app.MapMethods(file.Path, methods, send).ExcludeFromDescription();
        }

        app.MapProducts(page);
        RequestDelegate draw = ProductPicture.SendAsync;
        app.MapMethods(SamplePictures.Route, methods, draw).ExcludeFromDescription();
    }

    private static void MapProducts(this WebApplication app, StorefrontPage page)
    {
        var services = app.Services;
        var slugs = SlugCache.Of(ReadModel.All.Single(one => one.Resource == Resource.Products), services);
        var query = ResourceRoutes.DelegatesFor(services, services.GetRequiredService<ReadDatabase>().Pages);
        var product = query.Timed(new ProductPage(slugs, page).HandleAsync);
        app.MapMethods(ProductPage.Route, methods, product).ExcludeFromDescription()
            .WithMetadata(new UnavailablePage(page.SendUnavailableAsync));
    }
}
