namespace ApexShop.Commands.Api.Operations;

/// <summary>An operator's request that a Projector executes.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The path below /admin, here and at the Projector.</param>
/// <param name="Name">The operation id.</param>
/// <param name="Description">The description in the OpenAPI document.</param>
/// <param name="Handler">Declares the parameters; it is never called.</param>
internal sealed record ProjectorRoute(string Method, string Path, string Name, string Description, Delegate Handler)
{
    /// <summary>The type of the response body, or of the first line of a stream; null: there is no body.</summary>
    public Type? Response { get; init; }

    public int Status
    {
        get => field != 0 ? field : Response is null ? StatusCodes.Status204NoContent : StatusCodes.Status200OK;
        init;
    }

    /// <summary>The types of the lines when the response is an NDJSON stream; it then has no request timeout.</summary>
    public Type[] Lines { get; init; } = [];

    /// <summary>Whether 409 is possible.</summary>
    public bool HasConflict { get; init; }
}
