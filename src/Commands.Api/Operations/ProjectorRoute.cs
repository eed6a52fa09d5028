using System.Reflection;

namespace ApexShop.Commands.Api.Operations;

/// <summary>An operator's request that a Projector executes.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The path below /admin, here and at the Projector.</param>
/// <param name="Name">The operation id.</param>
/// <param name="Response">The type of the response body, or of a stream's first line; null without a body.</param>
/// <param name="Handler">
/// Declares the parameters; it is never called. A route in a table has to be a <see cref="Delegate"/>, which the
/// validation generator does not see: so the parameters may only be simple ones, which need no validation.
/// </param>
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

    /// <summary>The Location of a response with 202; null where the Projector does not respond with it.</summary>
    public string? Location { get; init; }

    /// <summary>
    /// Whether a request changes documents or messages: every one but a GET, a dry run and an audit without repair.
    /// </summary>
    public bool Changes(IQueryCollection query) =>
        Method != HttpMethods.Get && !IsTrue(query["dryRun"])
        && (IsTrue(query["repair"]) || !Handler.Method.GetParameters().Any(parameter => parameter.Name == "repair"));

    /// <summary>Throws when a parameter of <see cref="Handler"/> would need validation.</summary>
    public void RequireSimpleParameters()
    {
        foreach (var parameter in Handler.Method.GetParameters())
        {
            var isSimple = parameter.ParameterType == typeof(string) || parameter.ParameterType.IsPrimitive;
            if (isSimple && parameter.GetCustomAttributes().All(IsOfCompiler)) continue;
            throw new InvalidOperationException(
                $"{Name}: the parameter '{parameter.Name}' would not be validated; a forwarded request has only "
                + "strings, numbers and booleans of the route or the query, without attributes.");
        }
    }

    // Other spellings are refused before: Hosting/ParameterCheck.cs.
    private static bool IsTrue(string? value) => value == "true";

    private static bool IsOfCompiler(Attribute attribute) => attribute.GetType().Namespace is { } name
        && name.StartsWith("System.Runtime.", StringComparison.Ordinal);
}
