using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Consistency;
using Microsoft.AspNetCore.Http.Metadata;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Adds the consistency token to the response of every successful command. A refused command changed nothing, and a
/// streamed response starts before its changes: its lines contain their tokens.
/// </summary>
internal static class ConsistencyHeader
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var isCommand = !HttpMethods.IsGet(http.Request.Method) && !HttpMethods.IsOptions(http.Request.Method);
        if (isCommand && !IsOperation(http)) http.Response.OnStarting(AddAsync, http);
        return next(http);
    }

    // Operators' requests change no aggregate.
    private static bool IsOperation(HttpContext http) =>
        http.GetEndpoint()?.Metadata.GetMetadata<ITagsMetadata>()?.Tags.Contains("admin") is true;

    private static Task AddAsync(object state)
    {
        var http = (HttpContext)state;
        if (http.Response.StatusCode is < 200 or >= 300 || http.Response.ContentType == NdJson.ContentType)
            return Task.CompletedTask;
        var tokens = http.RequestServices.GetRequiredService<ConsistencyTokens>();
        var token = http.RequestServices.GetRequiredService<EventOutbox>().Token;
        http.Response.Headers[ConsistencyToken.Header] = tokens.Write(token);
        return Task.CompletedTask;
    }
}
