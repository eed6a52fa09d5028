using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Hosting;

/// <summary>
/// The JSON of a health report: <c>status</c> is "ready" or "not ready", <c>checks</c> names each dependency as "ok" or
/// "away". A degraded dependency is one that the process can do without for a while: named, and no reason to be taken
/// out of service.
/// </summary>
public static class HealthAnswer
{
    public static async Task WriteAsync(HttpContext context, HealthReport report)
    {
        context.Response.ContentType = "application/json";
        await using var json = new Utf8JsonWriter(context.Response.BodyWriter);
        json.WriteStartObject();
        json.WriteString("status", report.Status == HealthStatus.Unhealthy ? "not ready" : "ready");
        json.WriteStartObject("checks");
        foreach (var (name, entry) in report.Entries)
        {
            json.WriteString(name, entry.Status == HealthStatus.Healthy ? "ok" : "away");
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }
}
