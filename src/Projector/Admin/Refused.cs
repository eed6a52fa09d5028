using ApexShop.Errors;

namespace ApexShop.Projector.Admin;

/// <summary>What an operator asks for and cannot have now.</summary>
internal static class Refused
{
    public static IResult ToHttp(ProblemText refusal) => TypedResults.Problem(
        refusal.Detail,
        statusCode: ErrorCatalogue.Projector.Single(one => one.Code == refusal.Code).Status,
        extensions: new Dictionary<string, object?> { ["code"] = refusal.Code });
}
