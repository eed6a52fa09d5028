using Microsoft.AspNetCore.Builder;

namespace ApexShop.Hosting;

/// <summary>The header of every response, whatever it contains.</summary>
public static class ResponseHeaders
{
    /// <summary>Forbids a browser to guess another media type than Content-Type.</summary>
    public static void UseNosniff(this IApplicationBuilder app) => app.Use((http, next) =>
    {
        http.Response.Headers.XContentTypeOptions = "nosniff";
        return next(http);
    });
}
