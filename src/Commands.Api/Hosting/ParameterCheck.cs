using System.Reflection;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Requests;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Refuses what the framework's binding would let through: a query parameter that the endpoint does not have, a number
/// that is not in digits only, and a boolean that is neither <c>true</c> nor <c>false</c>. A misspelled dry run would
/// otherwise change data.
/// </summary>
internal static class ParameterCheck
{
    // They read the query string themselves, and their positions may have leading zeros.
    private static readonly string[] exempt = [nameof(ReadEvents), nameof(FollowEvents)];

    /// <summary>Adds the names of an endpoint's parameters to its metadata; pages and documents have none.</summary>
    public static void Describe(EndpointBuilder endpoint)
    {
        if (endpoint is not RouteEndpointBuilder { RoutePattern: var pattern } || IsExempt(endpoint)) return;
        var all = endpoint.Metadata.OfType<MethodInfo>().SelectMany(handler => handler.GetParameters())
            .Where(parameter => parameter.ParameterType == typeof(string) || TypeOf(parameter).IsPrimitive).ToList();
        endpoint.Metadata.Add(new Parameters(
            [.. all.Select(parameter => parameter.Name!).Where(name => pattern.GetParameter(name) is null)],
            [.. all.Where(IsNumber).Select(parameter => parameter.Name!)],
            [.. all.Where(IsFlag).Select(parameter => parameter.Name!)]));
    }

    public static Task InvokeAsync(HttpContext http, RequestDelegate next) =>
        http.GetEndpoint()?.Metadata.GetMetadata<Parameters>() is { } parameters
        && ProblemOf(http.Request, parameters) is { } problem
            ? CommandResponses.ToHttp(problem).ExecuteAsync(http)
            : next(http);

    private static bool IsExempt(EndpointBuilder endpoint) =>
        endpoint.Metadata.OfType<IExcludeFromDescriptionMetadata>().Any()
        || endpoint.Metadata.OfType<IEndpointNameMetadata>().Any(name => exempt.Contains(name.EndpointName));

    private static Type TypeOf(ParameterInfo parameter) =>
        Nullable.GetUnderlyingType(parameter.ParameterType) ?? parameter.ParameterType;

    private static bool IsNumber(ParameterInfo parameter) =>
        TypeOf(parameter).IsPrimitive && !IsFlag(parameter);

    private static bool IsFlag(ParameterInfo parameter) => TypeOf(parameter) == typeof(bool);

    private static Problem? ProblemOf(HttpRequest request, Parameters parameters)
    {
        // Only the first: the response to many unknown ones would be longer than the request.
        var unknown = request.Query.Keys.FirstOrDefault(
            name => !parameters.InQuery.Contains(name, StringComparer.OrdinalIgnoreCase));
        if (unknown is not null) return Problem.UnknownParameter(unknown);

        var inexact = parameters.Numbers.FirstOrDefault(
            name => TextOf(request, name) is { } text && !WholeNumber.TryParse(text, out _));
        if (inexact is not null) return Problem.Invalid(inexact, $"The parameter {WholeNumber.Rule}");

        var unclear = parameters.Flags.FirstOrDefault(
            name => TextOf(request, name) is { } text and not ("true" or "false"));
        return unclear is null ? null : Problem.Invalid(unclear, "Must be true or false.");
    }

    private static string? TextOf(HttpRequest request, string name)
    {
        if (request.RouteValues.TryGetValue(name, out var value)) return (string?)value;
        return request.Query.TryGetValue(name, out var values) ? values.ToString() : null;
    }

    private sealed record Parameters(
        IReadOnlyList<string> InQuery, IReadOnlyList<string> Numbers, IReadOnlyList<string> Flags);
}
