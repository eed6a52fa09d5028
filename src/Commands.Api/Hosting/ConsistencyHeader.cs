using ApexShop.Commands.Api.Outbox;
using ApexShop.Consistency;
using Microsoft.AspNetCore.Http.Metadata;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Gives every command that was done its token. A refusal changed nothing that a reader could wait for, and an answer
/// that streams starts before its changes: its lines carry their tokens.
/// </summary>
internal static class ConsistencyHeader
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!HttpMethods.IsGet(http.Request.Method) && !IsOperation(http)) http.Response.OnStarting(AddAsync, http);
        return next(http);
    }

    // What operators do changes no aggregate.
    private static bool IsOperation(HttpContext http) =>
        http.GetEndpoint()?.Metadata.GetMetadata<ITagsMetadata>()?.Tags.Contains("admin") is true;

    private static Task AddAsync(object state)
    {
        var http = (HttpContext)state;
        if (http.Response.StatusCode is >= 200 and < 300 && http.Response.ContentType != "application/x-ndjson")
            http.Response.Headers[ConsistencyToken.Header] = http.RequestServices.GetRequiredService<EventOutbox>().Token.ToString();
        return Task.CompletedTask;
    }
}
