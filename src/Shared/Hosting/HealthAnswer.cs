using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Hosting;

/// <summary>
/// What all processes answer to a probe. Live: <c>status</c> is "live". Ready: it is "ready", "not ready" or
/// "stopping", and <c>checks</c> names each dependency as "ok" or "away". A degraded dependency is one that the process
/// can do without for a while: named, and no reason to be taken out of service.
/// </summary>
public static class HealthAnswer
{
    public static Task LiveAsync(HttpContext context, HealthReport report) => LiveAsync(context);

    public static Task LiveAsync(HttpContext context) => WriteAsync(context, "live", null);

    public static Task ReadyAsync(HttpContext context, HealthReport report) => ReadyAsync(
        context,
        report.Status != HealthStatus.Unhealthy,
        report.Entries.Select(entry => (entry.Key, entry.Value.Status == HealthStatus.Healthy)));

    public static Task ReadyAsync(HttpContext context, bool isReady, IEnumerable<(string Name, bool IsOk)> checks)
    {
        var isStopping = context.RequestServices.GetRequiredService<GracefulStop>().IsAsked;
        context.Response.StatusCode = isReady && !isStopping ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return WriteAsync(context, isStopping ? "stopping" : isReady ? "ready" : "not ready", checks);
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
            foreach (var (name, isOk) in checks) json.WriteString(name, isOk ? "ok" : "away");
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }
}
