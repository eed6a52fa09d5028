using ApexShop.Errors;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Completes every problem response: its code, trace id, errors by JSON path, and Retry-After.</summary>
internal static class ProblemMembers
{
    private const string RetryAfterSeconds = "2";

    public static void Complete(ProblemDetailsContext context)
    {
        var problem = context.ProblemDetails;
        problem.Extensions["traceId"] = ProblemText.TraceIdOf(context.HttpContext);
        if (problem is HttpValidationProblemDetails invalid)
        {
            var isCut = invalid.Errors.Count > Problem.MaxErrors;
            (problem.Extensions["code"], problem.Title, problem.Detail) = (
                "request.invalid", "Bad Request", "The request is not valid." + (isCut ? Problem.FirstErrors : ""));
            invalid.Errors = ByJsonPath(invalid.Errors);
        }

        if (!problem.Extensions.ContainsKey("code")) Describe(problem);
        var headers = context.HttpContext.Response.Headers;
        if (problem.Status is StatusCodes.Status503ServiceUnavailable or StatusCodes.Status429TooManyRequests
            && headers.RetryAfter.Count == 0) headers.RetryAfter = RetryAfterSeconds;
    }

    private static void Describe(ProblemDetails problem)
    {
        var refusal = ProblemText.Of(problem.Status ?? StatusCodes.Status500InternalServerError);
        problem.Extensions["code"] = refusal.Code;
        problem.Detail ??= refusal.Detail;
    }

    private static Dictionary<string, string[]> ByJsonPath(IDictionary<string, string[]> errors) =>
        errors.Take(Problem.MaxErrors).ToDictionary(
            error => JsonPath.OfMembers(error.Key), error => JsonPath.InMessages(error.Key, error.Value));
}
