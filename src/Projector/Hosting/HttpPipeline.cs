using ApexShop.Hosting;
using ApexShop.Telemetry;

namespace ApexShop.Projector.Hosting;

/// <summary>The middleware in order; health requests are served before it.</summary>
internal static class HttpPipeline
{
    public static void UseProjectorPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseNosniff();
        app.UseTelemetry();
        app.UseExceptionHandler();
        // Adds a body to every error of the middleware after it: no key, no scope, unknown path.
        app.UseStatusCodePages();
        app.UseAllowedMethods();
        app.UseHeadAsGet();
        app.UseRouting();
        app.UseAuthentication();
        app.UseAuthorization();
    }
}
