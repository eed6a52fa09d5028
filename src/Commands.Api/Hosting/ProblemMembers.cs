using System.Diagnostics;
using System.Text.Json;
using ApexShop.Commands.Api.Results;
using Microsoft.AspNetCore.WebUtilities;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What every problem carries, whoever made it: a stable code, the trace id, errors by JSON path, and when to come back.</summary>
internal static class ProblemMembers
{
    private const string RetryAfterSeconds = "2";

    public static void Complete(ProblemDetailsContext context)
    {
        var problem = context.ProblemDetails;
        problem.Extensions["traceId"] = Activity.Current?.Id ?? context.HttpContext.TraceIdentifier;
        problem.Extensions.TryAdd("code", CodeOf(context));
        if (problem.Status == StatusCodes.Status503ServiceUnavailable) context.HttpContext.Response.Headers.RetryAfter = RetryAfterSeconds;
        if (problem is HttpValidationProblemDetails validation) validation.Errors = ByJsonPath(validation.Errors);
    }

    private static string CodeOf(ProblemDetailsContext context) => context.ProblemDetails switch
    {
        HttpValidationProblemDetails => "request.invalid",
        { Status: { } status } => "http." + JsonNamingPolicy.SnakeCaseLower.ConvertName(ReasonPhrases.GetReasonPhrase(status).Replace(" ", "", StringComparison.Ordinal)),
        _ => "http.error",
    };

    private static Dictionary<string, string[]> ByJsonPath(IDictionary<string, string[]> errors) =>
        errors.ToDictionary(error => JsonPath.OfMembers(error.Key), error => error.Value);
}
