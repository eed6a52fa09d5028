using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>Applies the access matrix to every endpoint, and checks that no endpoint is left out.</summary>
internal static class AccessRules
{
    /// <summary>The group that every endpoint is mapped into.</summary>
    public static RouteGroupBuilder MapShop(this IEndpointRouteBuilder app)
    {
        var shop = app.MapGroup("");
        // Last, when the endpoint has its name.
        ((IEndpointConventionBuilder)shop).Finally(Apply);
        ((IEndpointConventionBuilder)shop).Finally(ParameterCheck.Describe);
        return shop;
    }

    /// <summary>Throws unless every endpoint is in the matrix and every name in the matrix has an endpoint.</summary>
    public static void CheckAccess(this IEndpointRouteBuilder app)
    {
        var endpoints = app.DataSources.SelectMany(source => source.Endpoints).ToList();
        var outside = endpoints.Where(endpoint => endpoint.Metadata.GetMetadata<Rule>() is null)
            .Select(endpoint => $"{endpoint.DisplayName} is outside it");
        var unused = AccessMatrix.Needs.Keys.Except(endpoints.Select(NameOf)).Select(name => $"{name} has no endpoint");
        if (outside.Concat(unused).ToList() is [_, ..] wrong)
            throw new InvalidOperationException($"Access matrix: {string.Join("; ", wrong)}.");
    }

    private static void Apply(EndpointBuilder endpoint)
    {
        var name = endpoint.Metadata.OfType<IEndpointNameMetadata>().LastOrDefault()?.EndpointName ?? "";
        if (!AccessMatrix.Needs.TryGetValue(name, out var scope))
            throw new InvalidOperationException(
                $"Access matrix: it does not contain {endpoint.DisplayName}, named '{name}'.");
        endpoint.Metadata.Add(new Rule());
        if (scope != AccessMatrix.Public) endpoint.Metadata.Add(new AuthorizeAttribute(scope));
    }

    private static string NameOf(Endpoint endpoint) =>
        endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName ?? "";

    /// <summary>Marks an endpoint that the matrix was applied to.</summary>
    private sealed record Rule;
}
