namespace ApexShop.Commands.Api.Hosting;

/// <summary>The steps every request goes through, in order.</summary>
internal static class HttpPipeline
{
    public static void UseShopPipeline(this WebApplication app)
    {
        app.UseExceptionHandler();
        app.UseStatusCodePages();
        app.UseRouting();
        app.UseRequestTimeouts();
        app.UseAuthentication();
        app.UseAuthorization();
        app.MapHealth();
    }
}
