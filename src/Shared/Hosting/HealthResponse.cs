using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Hosting;

/// <summary>
/// What all processes answer to a probe. Live: <c>status</c> is "live". Ready: it is "ready", "not ready" or "stopping",
/// and <c>checks</c> names each dependency as "ok" or "unavailable".
/// </summary>
internal static class HealthResponse
{
    public static Task LiveAsync(HttpContext context) => WriteAsync(context, "live", null);

    public static Task ReadyAsync(HttpContext context, Readiness readiness)
    {
        // Asked each time, as what was found about the dependencies is not.
        var isStopping = context.RequestServices.GetRequiredService<GracefulShutdown>().IsStopping;
        context.Response.StatusCode =
            readiness.IsReady && !isStopping ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return WriteAsync(context, isStopping ? "stopping" : readiness.IsReady ? "ready" : "not ready", readiness.Checks);
    }

    private static async Task WriteAsync(HttpContext context, string status, IEnumerable<(string Name, bool IsOk)>? checks)
    {
        context.Response.ContentType = "application/json";
        context.Response.Headers.CacheControl = "no-store";
        await using var json = new Utf8JsonWriter(context.Response.BodyWriter);
        json.WriteStartObject();
        json.WriteString("status", status);
        if (checks is not null)
        {
            json.WriteStartObject("checks");
            foreach (var (name, isOk) in checks) json.WriteString(name, isOk ? "ok" : "unavailable");
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }
}
