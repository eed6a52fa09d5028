using ApexShop.Commands.Api.Idempotency;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Hosting;
using ApexShop.Telemetry;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>The steps every request goes through, in order.</summary>
internal static class HttpPipeline
{
    public static void UseShopPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseTelemetry();
        app.UseTransport();
        app.UseExceptionHandler();
        // Gives a body to every refusal of the steps after it: no key, no scope, no such path, too slow.
        app.UseStatusCodePages();
        app.UseDocsPage();
        app.UseRouting();
        app.UseRequestTimeouts();
        app.UseAuthentication();
        // Before authorization: whoever tries keys or paths at random is slowed down too.
        app.Use(app.Services.GetRequiredService<RequestRate>().InvokeAsync);
        app.UseAuthorization();
        app.Use(app.Services.GetRequiredService<BodyLimit>().InvokeAsync);
        app.Use(BodyCharset.InvokeAsync);
        app.Use(IdempotencyHeader.InvokeAsync);
        app.Use(ConsistencyHeader.InvokeAsync);
    }
}
