using ApexShop.Errors;

namespace ApexShop.Projector.Operations;

/// <summary>What an operator asks for and cannot have now.</summary>
internal static class Refused
{
    public static IResult ToHttp(Refusal refusal) => TypedResults.Problem(
        refusal.Detail,
        statusCode: ErrorCatalogue.Projector.Single(one => one.Code == refusal.Code).Status,
        extensions: new Dictionary<string, object?> { ["code"] = refusal.Code });
}
