using System.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace ApexShop.Errors;

/// <summary>The code and the detail of a problem response.</summary>
public sealed record ProblemText(string Code, string Detail)
{
    private const string AnyError = "https://tools.ietf.org/html/rfc9110#section-15";

    /// <summary>The type and the title of a status: a link to its meaning, and its name.</summary>
    public static (string Type, string Title) Usual(int status)
    {
        // The framework has these texts for the usual statuses only.
        var usual = TypedResults.Problem(statusCode: status).ProblemDetails;
        return (usual.Type ?? AnyError, usual.Title ?? ReasonPhrases.GetReasonPhrase(status));
    }

    /// <summary>The trace id of an error response: that of the logs and traces of its request.</summary>
    public static string TraceIdOf(HttpContext http) => Activity.Current?.Id ?? http.TraceIdentifier;

    /// <summary>The code and the detail of a status that the framework set without a body.</summary>
    public static ProblemText Of(int status) => status switch
    {
        401 => new(
            "access.key_required",
            "The request needs an Authorization: Bearer header with a valid API key or customer token."),
        403 => new("access.scope_missing", "The API key does not have the scope that this endpoint requires."),
        404 => new("path.unknown", "The path does not exist."),
        405 => new("method.not_allowed", "The path does not support this method; see the Allow header."),
        408 => new("request.too_slow", "The body did not arrive in time."),
        413 => new("body.too_large", "The body is too large; GET /limits contains the limit."),
        415 => new("content_type.unsupported", "The endpoint does not accept this content type."),
        429 => new("rate.exceeded", "Too many requests; try again after the time in Retry-After."),
        503 => new("request.timeout", "The request took too long and was aborted."),
        >= 500 => new("internal", "The server failed to handle the request."),
        _ => new("request.malformed", "The request cannot be parsed, or its body is missing."),
    };
}
