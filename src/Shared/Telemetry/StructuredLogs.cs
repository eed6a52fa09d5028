using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry;

/// <summary>
/// Outside Development each line of the log is a JSON object, with the trace id of the request it belongs to. No line
/// quotes a body, a query string or a value: what a message needs of them is their place.
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
