namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>
/// Reads Idempotency-Key on POST and PATCH and tells in the answer what became of it. The other verbs may be repeated
/// as they are, and a key on them is ignored.
/// </summary>
internal static class IdempotencyHeader
{
    public const string Name = "Idempotency-Key";
    public const string Replayed = "Idempotency-Replayed";
    public const int MaxLength = 255;

    private const string SecondsToAskAgain = "1";

    private static readonly Problem invalid = new(
        StatusCodes.Status400BadRequest, "idempotency.key_invalid", $"{Name} must be sent once and have 1 to {MaxLength} visible ASCII characters.");

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        // Keys are told apart by caller; a request without one is not carried out anyway.
        if (!IsRead(http.Request) || http.User.Identity?.Name is not { } caller) return next(http);
        if (!http.Request.Headers.TryGetValue(Name, out var sent)) return next(http);
        if (sent is not [{ Length: > 0 and <= MaxLength } given] || !given.All(IsVisible)) return Answers.ToHttp(invalid).ExecuteAsync(http);

        http.RequestServices.GetRequiredService<IdempotencyKey>().Take(caller, given);
        http.Response.OnStarting(TellAsync, http);
        return next(http);
    }

    private static bool IsRead(HttpRequest request) => HttpMethods.IsPost(request.Method) || HttpMethods.IsPatch(request.Method);

    private static bool IsVisible(char character) => character is >= '!' and <= '~';

    private static Task TellAsync(object state)
    {
        var http = (HttpContext)state;
        var key = http.RequestServices.GetRequiredService<IdempotencyKey>();
        if (key.IsReplayed) http.Response.Headers[Replayed] = "true";
        if (key.IsInProgress) http.Response.Headers.RetryAfter = SecondsToAskAgain;
        return Task.CompletedTask;
    }
}
