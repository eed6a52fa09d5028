using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Hosting;

/// <summary>
/// The response to a health probe. Live: <c>status</c> is "live". Ready: <c>status</c> is "ready", "not ready" or
/// "stopping", and <c>checks</c> contains for each dependency "ok" or "unavailable". Version: <c>version</c>, and
/// <c>commit</c>, which may be null.
/// </summary>
internal static class HealthResponse
{
    public static Task LiveAsync(HttpContext http) => WriteAsync(http, json => json.WriteString("status", "live"));

    public static Task VersionAsync(HttpContext http) => WriteAsync(http, json =>
    {
        json.WriteString("version", ProductVersion.Number);
        json.WriteString("commit", ProductVersion.Commit);
    });

    public static Task ReadyAsync(HttpContext http, Readiness readiness)
    {
        // Never cached, unlike the checks: the first probe after the signal must fail.
        var isStopping = http.RequestServices.GetRequiredService<GracefulShutdown>().IsStopping;
        http.Response.StatusCode = readiness.IsReady && !isStopping
            ? StatusCodes.Status200OK
            : StatusCodes.Status503ServiceUnavailable;
        var status = isStopping ? "stopping" : readiness.IsReady ? "ready" : "not ready";
        return WriteAsync(http, json =>
        {
            json.WriteString("status", status);
            json.WriteStartObject("checks");
            foreach (var (name, isOk) in readiness.Checks) json.WriteString(name, isOk ? "ok" : "unavailable");
            json.WriteEndObject();
        });
    }

    private static async Task WriteAsync(HttpContext http, Action<Utf8JsonWriter> members)
    {
        http.Response.ContentType = "application/json";
        http.Response.Headers.CacheControl = "no-store";
        http.Response.Headers.XContentTypeOptions = "nosniff";
        await using var json = new Utf8JsonWriter(http.Response.BodyWriter);
        json.WriteStartObject();
        members(json);
        json.WriteEndObject();
    }
}
