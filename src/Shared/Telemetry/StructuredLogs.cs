using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry;

/// <summary>
/// Writes logs as JSON lines with the trace id of the request, except in Development. No message contains a body, a
/// query string or a value, because those may be personal data.
/// </summary>
internal static class StructuredLogs
{
    public static void AddStructuredLogs(this IHostApplicationBuilder builder)
    {
        builder.Logging.Configure(logs =>
            logs.ActivityTrackingOptions = ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId);
        if (builder.Environment.IsDevelopment()) return;
        builder.Logging.AddJsonConsole(json =>
        {
            json.IncludeScopes = true;
            json.UseUtcTimestamp = true;
            json.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ";
        });
    }
}
