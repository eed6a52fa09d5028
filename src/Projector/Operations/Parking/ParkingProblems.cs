using System.Security.Claims;
using ApexShop.Resources;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>The problem responses to operators' requests about parking.</summary>
internal static class ParkingProblems
{
    /// <summary>The most items of one response.</summary>
    public const int MostItems = 500;

    public static ProblemHttpResult NotParked(AggregateKey aggregate) => TypedResults.Problem(
        $"Nothing of {aggregate} is parked.",
        statusCode: StatusCodes.Status404NotFound,
        extensions: Code("parked.not_found"));

    public static ProblemHttpResult NoLetter(int id) => TypedResults.Problem(
        $"There is no dead letter {id}.",
        statusCode: StatusCodes.Status404NotFound,
        extensions: Code("dead_letter.not_found"));

    /// <summary>Null when there is such a resource.</summary>
    public static ProblemHttpResult? Resource(string resource) => Resources.Resource.Exists(resource)
        ? null
        : TypedResults.Problem(
            $"There is no resource {resource}.",
            statusCode: StatusCodes.Status404NotFound,
            extensions: Code("path.unknown"));

    /// <summary>Null when the filter is empty or a resource.</summary>
    public static ProblemHttpResult? Filter(string resource) =>
        resource.Length == 0 || Resources.Resource.Exists(resource)
            ? null
            : OperationProblems.Invalid(
                "resource", $"A resource is one of {string.Join(", ", Resources.Resource.Names)}.");

    /// <summary>Null when the number of items is allowed.</summary>
    public static ProblemHttpResult? Limit(int limit, int most = MostItems) =>
        limit >= 1 && limit <= most
            ? null
            : OperationProblems.Invalid("limit", $"A whole number from 1 to {most}.");

    public static ProblemHttpResult After() => OperationProblems.Invalid(
        "after", "The value of next in the previous response, such as products/17.");

    /// <summary>
    /// Null when the caller may read the states of these resources: an event contains one, wherever it is stored.
    /// </summary>
    public static ProblemHttpResult? Closed(
        ClaimsPrincipal caller, params IEnumerable<Resources.Resource> resources) =>
        ReadScopes.MissingTo(caller, resources) is [_, ..] missing
            ? TypedResults.Problem(
                $"The API key does not have {string.Join(" and ", missing)}, which the events in it need.",
                statusCode: StatusCodes.Status403Forbidden,
                extensions: [.. Code("access.scope_missing"), new("missingScopes", missing)])
            : null;

    private static KeyValuePair<string, object?>[] Code(string code) => [new("code", code)];
}
