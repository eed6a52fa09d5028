using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>Puts the access matrix in force: on every endpoint of the root group, and on nothing less than all of them.</summary>
internal static class AccessRules
{
    /// <summary>The group that every endpoint is mapped into.</summary>
    public static RouteGroupBuilder MapShop(this IEndpointRouteBuilder app)
    {
        var shop = app.MapGroup("");
        // Last, when the endpoint has its name.
        ((IEndpointConventionBuilder)shop).Finally(Apply);
        return shop;
    }

    /// <summary>Fails unless every endpoint there is has gone through the matrix, and every line of it has its endpoint.</summary>
    public static void CheckAccess(this IEndpointRouteBuilder app)
    {
        var endpoints = app.DataSources.SelectMany(source => source.Endpoints).ToList();
        var open = endpoints.Where(endpoint => endpoint.Metadata.GetMetadata<Rule>() is null).Select(endpoint => $"{endpoint.DisplayName} is outside it");
        var idle = AccessMatrix.Needs.Keys.Except(endpoints.Select(NameOf)).Select(name => $"{name} has no endpoint");
        if (open.Concat(idle).ToList() is [_, ..] wrong) throw new InvalidOperationException($"Access matrix: {string.Join("; ", wrong)}.");
    }

    private static void Apply(EndpointBuilder endpoint)
    {
        var name = endpoint.Metadata.OfType<IEndpointNameMetadata>().LastOrDefault()?.EndpointName ?? "";
        if (!AccessMatrix.Needs.TryGetValue(name, out var scope))
            throw new InvalidOperationException($"Access matrix: {endpoint.DisplayName} has no line under the name '{name}'.");
        endpoint.Metadata.Add(new Rule(scope));
        if (scope != AccessMatrix.Public) endpoint.Metadata.Add(new AuthorizeAttribute(scope));
    }

    private static string NameOf(Endpoint endpoint) => endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName ?? "";

    private sealed record Rule(string Scope);
}
