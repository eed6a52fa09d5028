using ApexShop.Resources;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>
/// GET / and the files of the storefront, which uses this API without a key, and the pictures of the sample shop.
/// </summary>
internal static class StorefrontRoutes
{
    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapStorefront(this WebApplication app)
    {
        foreach (var file in StorefrontFile.All)
        {
            RequestDelegate send = file.AnswerAsync;
            app.MapMethods(file.Path, methods, send).ExcludeFromDescription();
        }

        RequestDelegate draw = ProductPicture.AnswerAsync;
        app.MapMethods(SamplePictures.Route, methods, draw).ExcludeFromDescription();
    }
}
