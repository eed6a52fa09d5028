using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Hosting;

/// <summary>HEAD and OPTIONS, which no endpoint has to handle itself.</summary>
public static class HeadAndOptionsRequests
{
    /// <summary>
    /// Handles HEAD as GET: the server sends no body for it (RFC 9110, section 9.3.2). It must come before routing.
    /// </summary>
    public static void UseHeadAsGet(this IApplicationBuilder app) => app.Use((http, next) =>
    {
        if (HttpMethods.IsHead(http.Request.Method))
        {
            http.Items[typeof(HeadAndOptionsRequests)] = true;
            http.Request.Method = HttpMethods.Get;
        }

        return next(http);
    });

    /// <summary>Whether the client sent HEAD.</summary>
    public static bool IsHead(HttpContext http) => http.Items.ContainsKey(typeof(HeadAndOptionsRequests));

    /// <summary>
    /// Turns the routing's refusal of OPTIONS into 204 with the methods of the path, and completes Allow for the other
    /// refused methods. It must come after the middleware that adds a body to a refusal.
    /// </summary>
    public static void UseAllowedMethods(this IApplicationBuilder app) => app.Use((http, next) =>
    {
        var running = next(http);
        return running.IsCompletedSuccessfully && !IsRefused(http) ? running : CompleteAsync(running, http);
    });

    private static bool IsRefused(HttpContext http) =>
        http.Response.StatusCode == StatusCodes.Status405MethodNotAllowed && !http.Response.HasStarted;

    private static async Task CompleteAsync(Task running, HttpContext http)
    {
        await running;
        if (!IsRefused(http)) return;
        var methods = http.Response.Headers.GetCommaSeparatedValues("Allow").ToHashSet(StringComparer.Ordinal);
        if (methods.Contains(HttpMethods.Get)) methods.Add(HttpMethods.Head);
        methods.Add(HttpMethods.Options);
        http.Response.Headers.Allow = string.Join(", ", methods.Order(StringComparer.Ordinal));
        if (HttpMethods.IsOptions(http.Request.Method)) http.Response.StatusCode = StatusCodes.Status204NoContent;
    }
}
