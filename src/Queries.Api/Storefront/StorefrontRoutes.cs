namespace ApexShop.Queries.Api.Storefront;

/// <summary>GET / and the files of the storefront page: a client of this API like any other, without a key.</summary>
internal static class StorefrontRoutes
{
    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapStorefront(this WebApplication app)
    {
        foreach (var file in StorefrontFile.All)
        {
            RequestDelegate answer = file.AnswerAsync;
            app.MapMethods(file.Path, methods, answer).ExcludeFromDescription();
        }
    }
}
