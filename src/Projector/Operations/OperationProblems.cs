using ApexShop.Errors;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations;

/// <summary>The problem responses to a request that is not valid, or cannot be carried out now.</summary>
internal static class OperationProblems
{
    public static IResult ToHttp(ProblemText refusal) => TypedResults.Problem(
        refusal.Detail,
        statusCode: ErrorCatalogue.Projector.Single(one => one.Code == refusal.Code).Status,
        extensions: new Dictionary<string, object?> { ["code"] = refusal.Code });

    public static ProblemHttpResult Invalid(string parameter, string why) => TypedResults.Problem(
        "The request is not valid.",
        statusCode: StatusCodes.Status400BadRequest,
        extensions: new Dictionary<string, object?>
        {
            ["code"] = "request.invalid",
            ["errors"] = new Dictionary<string, string[]> { [parameter] = [why] },
        });
}
