using ApexShop.Errors;

namespace ApexShop.Projector.Operations;

/// <summary>The problem response to a request that cannot be carried out now.</summary>
internal static class OperationProblems
{
    public static IResult ToHttp(ProblemText refusal) => TypedResults.Problem(
        refusal.Detail,
        statusCode: ErrorCatalogue.Projector.Single(one => one.Code == refusal.Code).Status,
        extensions: new Dictionary<string, object?> { ["code"] = refusal.Code });
}
