using System.Diagnostics;
using ApexShop.Telemetry.Prometheus;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace ApexShop.Telemetry.Otlp;

/// <summary>
/// Gives the server span of a request its name and attributes, which the framework does not set. They contain the route
/// and never the path or the query string, because those may contain personal data.
/// </summary>
internal static class RequestSpan
{
    private const string Operation = "Microsoft.AspNetCore.Hosting.HttpRequestIn";
    private const string Method = "http.request.method";

    public static bool HasNoAttributes(Activity activity) =>
        activity.OperationName == Operation && activity.GetTagItem(Method) is null;

    public static Task InvokeAsync(HttpContext http, RequestDelegate next) =>
        http.Features.Get<IHttpActivityFeature>()?.Activity is { IsAllDataRequested: true } span
        && !IsProbe(http.Request.Path)
            ? DescribeAsync(http, next, span)
            : next(http);

    private static bool IsProbe(PathString path) =>
        path.StartsWithSegments("/health", StringComparison.Ordinal)
        || path.StartsWithSegments(MetricsPage.Path, StringComparison.Ordinal);

    private static async Task DescribeAsync(HttpContext http, RequestDelegate next, Activity span)
    {
        try
        {
            await next(http);
        }
        finally
        {
            // After the pipeline, because only then is the route known.
            var route = (http.GetEndpoint() as RouteEndpoint)?.RoutePattern.RawText;
            var status = http.Response.StatusCode;
            span.DisplayName = route is null ? http.Request.Method : $"{http.Request.Method} /{route.Trim('/')}";
            span.SetTag(Method, http.Request.Method);
            span.SetTag("url.scheme", http.Request.Scheme);
            if (route is not null) span.SetTag("http.route", $"/{route.Trim('/')}");
            span.SetTag("http.response.status_code", status);
            if (status >= StatusCodes.Status500InternalServerError) span.SetStatus(ActivityStatusCode.Error);
        }
    }
}
