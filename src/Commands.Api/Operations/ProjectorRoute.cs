namespace ApexShop.Commands.Api.Operations;

/// <summary>An operator's request that a Projector executes, at the same path as here.</summary>
/// <param name="Name">The operation id.</param>
/// <param name="Response">The type of the response body, or of a stream's first line; null without a body.</param>
/// <param name="Map">Maps the method, the path below /admin and a handler that declares the parameters.</param>
/// <param name="Description">The description in the OpenAPI document.</param>
internal sealed record ProjectorRoute(
    string Name, Type? Response, Func<IEndpointRouteBuilder, RouteHandlerBuilder> Map, string Description)
{
    /// <summary>The status of a successful response.</summary>
    public int Status { get; init; } = Response is null ? StatusCodes.Status204NoContent : StatusCodes.Status200OK;

    /// <summary>The types of the lines of an NDJSON stream, which has no request timeout.</summary>
    public Type[] Lines { get; init; } = [];

    /// <summary>Whether it changes several aggregates or messages, one after the other.</summary>
    public bool IsLong { get; init; }

    /// <summary>Whether the Projector may respond with 409.</summary>
    public bool HasConflict { get; init; }

    /// <summary>The Location of a response with 202; null where the Projector does not respond with it.</summary>
    public string? Location { get; init; }

    /// <summary>The parameter without which the request changes nothing; null where there is none.</summary>
    public string? ChangesOnlyWith { get; init; }

    /// <summary>
    /// Whether a request changes documents or messages: every one but a GET, a dry run and an audit without repair.
    /// </summary>
    public bool Changes(HttpRequest request) =>
        !HttpMethods.IsGet(request.Method) && !IsTrue(request.Query["dryRun"])
        && (ChangesOnlyWith is null || IsTrue(request.Query[ChangesOnlyWith]));

    // Other spellings are refused before: Hosting/ParameterCheck.cs.
    private static bool IsTrue(string? value) => value == "true";
}
