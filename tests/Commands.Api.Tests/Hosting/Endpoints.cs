using System.Reflection;
using ApexShop.Commands.Api.Hosting;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>One routed endpoint.</summary>
public sealed record EndpointLine(string Name, string Method, string Pattern, string Needs)
{
    /// <summary>A path that matches the pattern.</summary>
    public string Path =>
        string.Join('/', Pattern.Split('/').Select(segment => segment.StartsWith('{') ? "1" : segment));

    /// <summary>Whether the OpenAPI document contains it; pages and documents are excluded.</summary>
    public required bool IsDescribed { get; init; }

    public string Row => $"| {Method} {Pattern} | {Name} | {Needs} |";
}

/// <summary>
/// The input of an endpoint that is not a GET: its parameters, and the type of its body or of the items.
/// </summary>
internal sealed record EndpointTarget(
    string Name, string Method, string Pattern, Type? Body, bool IsList, IReadOnlyList<string> Query);

/// <summary>All endpoints of the running API.</summary>
internal static class Endpoints
{
    public static List<EndpointLine> Lines(this CommandsApp app) =>
    [
        .. from endpoint in app.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
           let name = endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()!.EndpointName
           from method in endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()?.HttpMethods ?? ["GET"]
           // HEAD is handled as GET, before routing.
           where method != "HEAD"
           let pattern = "/" + endpoint.RoutePattern.RawText!.Trim('/')
           orderby pattern, method
           select new EndpointLine(
               name, method, pattern.Replace(":int", "").Replace(":long", ""), AccessMatrix.Needs[name])
           {
               IsDescribed = endpoint.Metadata.GetMetadata<IExcludeFromDescriptionMetadata>() is not
               {
                   ExcludeFromDescription: true,
               },
           },
    ];

    /// <summary>The types of all bodies; for a list the type of its items.</summary>
    public static List<Type> BodyTypes(this CommandsApp app) =>
        [.. app.Targets().Select(target => target.Body).OfType<Type>().Where(type => type != typeof(int)).Distinct()];

    /// <summary>All endpoints except GET. The members of a patch are those of the PUT with the same path.</summary>
    public static List<EndpointTarget> Targets(this CommandsApp app)
    {
        var targets = app.Declared();
        var replacements = targets.Where(target => target.Method == "PUT")
            .ToDictionary(target => target.Pattern, target => target.Body);
        return [.. targets.Select(target => target is { Method: "PATCH", Body: null }
            ? target with { Body = replacements.GetValueOrDefault(target.Pattern) }
            : target)];
    }

    private static List<EndpointTarget> Declared(this CommandsApp app) =>
    [
        .. from endpoint in app.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
           let handle = endpoint.Metadata.GetMetadata<MethodInfo>()
           let method = endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()?.HttpMethods[0]
           where handle is not null && method is not (null or "GET")
           let pattern = "/" + endpoint.RoutePattern.RawText!.Trim('/')
           let body = handle.GetParameters().Select(parameter => parameter.ParameterType).FirstOrDefault(IsBody)
           let query = handle.GetParameters()
               .Where(parameter => !pattern.Contains($"{{{parameter.Name}", StringComparison.Ordinal))
               .Where(parameter =>
                   (Nullable.GetUnderlyingType(parameter.ParameterType) ?? parameter.ParameterType) == typeof(int))
           select new EndpointTarget(
               endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()!.EndpointName,
               method,
               pattern,
               body is { GenericTypeArguments: [var item] } ? item : body,
               body is { IsGenericType: true },
               [.. query.Select(parameter => parameter.Name!)]),
    ];

    private static bool IsBody(Type type) =>
        type.Assembly == typeof(Program).Assembly
            && (type.IsNestedPublic || type is { IsGenericType: true, Namespace: "ApexShop.Commands.Api.Bulk" });
}
