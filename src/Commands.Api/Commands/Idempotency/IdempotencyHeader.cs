using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>
/// Reads the header Idempotency-Key of POST and PATCH and sets the headers of the response. The other methods are
/// idempotent, and a key on them is ignored.
/// </summary>
internal static class IdempotencyHeader
{
    public const string Name = "Idempotency-Key";
    public const string Replayed = "Idempotency-Replayed";
    public const int MaxLength = 255;

    private const string RetryAfterSeconds = "1";

    private static readonly Problem invalid = new(
        StatusCodes.Status400BadRequest, "idempotency.key_invalid",
        $"{Name} must be sent once and have 1 to {MaxLength} visible ASCII characters.");

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        // A key belongs to a caller; a request without a caller is not executed. A public endpoint stores no response.
        var isPublic = http.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is null;
        if (isPublic || !IsRead(http.Request) || http.User.Identity?.Name is not { } caller) return next(http);
        if (!http.Request.Headers.TryGetValue(Name, out var sent)) return next(http);
        if (sent is not [{ Length: > 0 and <= MaxLength } given] || !given.All(IsVisible))
            return CommandResponses.ToHttp(invalid).ExecuteAsync(http);

        http.RequestServices.GetRequiredService<IdempotencyKey>().Set(caller, given);
        http.Response.OnStarting(SetHeadersAsync, http);
        return next(http);
    }

    private static bool IsRead(HttpRequest request) =>
        HttpMethods.IsPost(request.Method) || HttpMethods.IsPatch(request.Method);

    private static bool IsVisible(char character) => character is >= '!' and <= '~';

    private static Task SetHeadersAsync(object state)
    {
        var http = (HttpContext)state;
        var key = http.RequestServices.GetRequiredService<IdempotencyKey>();
        if (key.IsReplayed) http.Response.Headers[Replayed] = "true";
        if (key.IsInProgress) http.Response.Headers.RetryAfter = RetryAfterSeconds;
        return Task.CompletedTask;
    }
}
