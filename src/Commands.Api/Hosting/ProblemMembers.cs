using System.Diagnostics;
using ApexShop.Commands.Api.Results;
using ApexShop.Errors;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>What every problem carries, whoever made it: a stable code, the trace id, errors by JSON path, and when to come back.</summary>
internal static class ProblemMembers
{
    public const string TypeOfOthers = "https://tools.ietf.org/html/rfc9110#section-15";

    private const string RetryAfterSeconds = "2";

    public static void Complete(ProblemDetailsContext context)
    {
        var problem = context.ProblemDetails;
        problem.Extensions["traceId"] = Activity.Current?.Id ?? context.HttpContext.TraceIdentifier;
        if (problem is HttpValidationProblemDetails)
            (problem.Extensions["code"], problem.Title, problem.Detail) = ("request.invalid", "Bad Request", "The request is not valid.");
        if (!problem.Extensions.ContainsKey("code")) Describe(problem);
        // The framework knows the sections of some statuses and leaves the others without a type.
        problem.Type ??= TypeOfOthers;
        if (problem.Status == StatusCodes.Status503ServiceUnavailable) context.HttpContext.Response.Headers.RetryAfter = RetryAfterSeconds;
        if (problem is HttpValidationProblemDetails validation) validation.Errors = ByJsonPath(validation.Errors);
    }

    private static void Describe(ProblemDetails problem)
    {
        var refusal = ProblemText.Of(problem.Status ?? StatusCodes.Status500InternalServerError);
        problem.Extensions["code"] = refusal.Code;
        problem.Detail ??= refusal.Detail;
    }

    private static Dictionary<string, string[]> ByJsonPath(IDictionary<string, string[]> errors) =>
        errors.ToDictionary(error => JsonPath.OfMembers(error.Key), error => error.Value);
}
