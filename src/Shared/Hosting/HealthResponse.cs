using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Hosting;

/// <summary>
/// The response to a health probe. Live: <c>status</c> is "live". Ready: <c>status</c> is "ready", "not ready" or
/// "stopping", and <c>checks</c> contains for each dependency "ok" or "unavailable".
/// </summary>
internal static class HealthResponse
{
    public static Task LiveAsync(HttpContext http) => WriteAsync(http, "live", null);

    public static Task ReadyAsync(HttpContext http, Readiness readiness)
    {
        // Never cached, unlike the checks: the first probe after the signal must fail.
        var isStopping = http.RequestServices.GetRequiredService<GracefulShutdown>().IsStopping;
        http.Response.StatusCode = readiness.IsReady && !isStopping
            ? StatusCodes.Status200OK
            : StatusCodes.Status503ServiceUnavailable;
        var status = isStopping ? "stopping" : readiness.IsReady ? "ready" : "not ready";
        return WriteAsync(http, status, readiness.Checks);
    }

    private static async Task WriteAsync(HttpContext http, string status, IEnumerable<(string Name, bool IsOk)>? checks)
    {
        http.Response.ContentType = "application/json";
        http.Response.Headers.CacheControl = "no-store";
        http.Response.Headers.XContentTypeOptions = "nosniff";
        await using var json = new Utf8JsonWriter(http.Response.BodyWriter);
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
