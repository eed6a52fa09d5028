using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Hosting;
using ApexShop.Telemetry;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>The middleware of every request, in order.</summary>
internal static class HttpPipeline
{
    public static void UseShopPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseNosniff();
        app.UseShortHeaders();
        app.UseTelemetry();
        app.UseTransport();
        app.UseExceptionHandler();
        app.UseCrossOrigin();
        // Adds a body to every refusal of the steps after it: no key, no scope, unknown path, timeout.
        app.UseStatusCodePages();
        app.UseAllowedMethods();
        app.UseHeadAsGet();
        app.UseRouting();
        app.Use(CacheHeader.InvokeAsync);
        app.UseRequestTimeouts();
        app.UseAuthentication();
        // Before authorization, so that a client that tries random keys or paths is limited too.
        app.Use(app.Services.GetRequiredService<RequestRateLimit>().InvokeAsync);
        app.UseDocsPage();
        app.UseAuthorization();
        app.Use(ParameterCheck.InvokeAsync);
        app.Use(app.Services.GetRequiredService<BodyLimit>().InvokeAsync);
        app.Use(BodyHeaders.InvokeAsync);
        app.Use(IdempotencyHeader.InvokeAsync);
        app.Use(ConsistencyHeader.InvokeAsync);
    }
}
