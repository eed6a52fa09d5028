namespace ApexShop.Commands.Api.Operations;

/// <summary>An operator's request that a Projector executes.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The path below /admin, here and at the Projector.</param>
/// <param name="Name">The operation id.</param>
/// <param name="Response">The type of the response body, or of a stream's first line; null without a body.</param>
/// <param name="Handler">Declares the parameters; it is never called.</param>
/// <param name="Description">The description in the OpenAPI document.</param>
internal sealed record ProjectorRoute(
    string Method, string Path, string Name, Type? Response, Delegate Handler, string Description)
{
    /// <summary>The status of a successful response.</summary>
    public int Status { get; init; } = Response is null ? StatusCodes.Status204NoContent : StatusCodes.Status200OK;

    /// <summary>The types of the lines of an NDJSON stream, which has no request timeout.</summary>
    public Type[] Lines { get; init; } = [];

    /// <summary>Whether the Projector may respond with 409.</summary>
    public bool HasConflict { get; init; }
}
