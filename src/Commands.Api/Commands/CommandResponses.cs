using System.Globalization;
using ApexShop.Errors;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Turns results of commands into HTTP responses: one per verb, the same for all resources.</summary>
internal sealed class CommandResponses(IOptions<PublicUrlsOptions> urls)
{
    public Results<Created<Saved>, ProblemHttpResult> Created(
        string resource, Result<Saved> result, HttpResponse response)
    {
        if (result.Value is not { } saved) return ToHttp(result.Problem!);
        SetETag(response, saved);
        var path = string.Create(CultureInfo.InvariantCulture, $"/{resource}/{saved.Id}");
        return TypedResults.Created(urls.Value.Queries.TrimEnd('/') + path, saved);
    }

    public static Results<Ok<Saved>, ProblemHttpResult> Replaced(Result<Saved> result, HttpResponse response)
    {
        if (result.Value is not { } saved) return ToHttp(result.Problem!);
        SetETag(response, saved);
        return TypedResults.Ok(saved);
    }

    public static Results<Created<BulkCreated>, ProblemHttpResult> BulkCreated(Result<BulkCreated> result) =>
        result.Value is { } created ? TypedResults.Created((string?)null, created) : ToHttp(result.Problem!);

    public static Results<Ok<BulkReplaced>, ProblemHttpResult> BulkReplaced(Result<BulkReplaced> result) =>
        result.Value is { } replaced ? TypedResults.Ok(replaced) : ToHttp(result.Problem!);

    public static Results<NoContent, ProblemHttpResult> Deleted(Result<Saved> result) =>
        result.Problem is { } problem ? ToHttp(problem) : TypedResults.NoContent();

    public static Results<Ok<T>, ProblemHttpResult> Done<T>(Result<T> result) =>
        result.Problem is { } problem ? ToHttp(problem) : TypedResults.Ok(result.Value);

    public static ProblemHttpResult ToHttp(Problem problem)
    {
        // The framework has type and title of the usual statuses only, and no writer adds them to a problem in a line.
        var (type, title) = ProblemText.Usual(problem.Status);
        return TypedResults.Problem(
            problem.Detail, null, problem.Status, title, type, [.. problem.Extensions, new("code", problem.Code)]);
    }

    private static void SetETag(HttpResponse response, Saved saved) =>
        response.Headers.ETag = string.Create(CultureInfo.InvariantCulture, $"\"{saved.Version}\"");
}
