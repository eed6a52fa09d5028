namespace ApexShop.Errors;

/// <summary>What the pipeline itself refuses, before any endpoint: a bare status, and the words both APIs give it.</summary>
public sealed record ProblemText(string Code, string Detail)
{
    /// <summary>The words for a status that came without any.</summary>
    public static ProblemText Of(int status) => status switch
    {
        401 => new("access.key_required", "This needs Authorization: Bearer with a known API key."),
        403 => new("access.scope_missing", "The API key does not have the scope for this."),
        404 => new("path.unknown", "Nothing is served at this path."),
        405 => new("method.not_allowed", "The path does not take this method; Allow names those it takes."),
        408 => new("request.too_slow", "The body did not arrive in time."),
        413 => new("body.too_large", "The body is larger than this endpoint takes; GET /limits tells how much that is."),
        415 => new("content_type.unsupported", "The endpoint does not read this content type."),
        429 => new("rate.exceeded", "Too many requests; Retry-After tells when to come back."),
        503 => new("request.timeout", "The request took too long and was given up."),
        >= 500 => new("internal", "The request failed on our side."),
        _ => new("request.malformed", "The request could not be read, or lacks its body."),
    };
}
