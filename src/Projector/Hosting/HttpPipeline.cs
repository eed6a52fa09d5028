using ApexShop.Hosting;
using ApexShop.Telemetry;

namespace ApexShop.Projector.Hosting;

/// <summary>The steps every request goes through, in order; health answers before all of them.</summary>
internal static class HttpPipeline
{
    public static void UseProjectorPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseTelemetry();
        app.UseExceptionHandler();
        // Gives a body to every refusal of the steps after it: no key, no scope, no such path.
        app.UseStatusCodePages();
        app.UseRouting();
        app.UseAuthentication();
        app.UseAuthorization();
    }
}
