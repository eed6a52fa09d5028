using ApexShop.Commands.Api.OpenApi;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>The steps every request goes through, in order.</summary>
internal static class HttpPipeline
{
    public static void UseShopPipeline(this WebApplication app)
    {
        app.UseExceptionHandler();
        // Gives a body to every refusal of the steps after it: no key, no scope, no such path, too slow.
        app.UseStatusCodePages();
        app.UseDocsPage();
        app.UseRouting();
        app.UseRequestTimeouts();
        app.UseAuthentication();
        app.UseAuthorization();
        app.Use(ConsistencyHeader.InvokeAsync);
    }
}
