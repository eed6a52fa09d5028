using System.Reflection;
using ApexShop.Commands.Api.Hosting;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>One routed endpoint as a caller sees it.</summary>
public sealed record EndpointLine(string Name, string Method, string Pattern, string Needs)
{
    /// <summary>A path that reaches it.</summary>
    public string Path => string.Join('/', Pattern.Split('/').Select(segment => segment.StartsWith('{') ? "1" : segment));

    public string Row => $"| {Method} {Pattern} | {Name} | {Needs} |";
}

/// <summary>Every endpoint of the running API, whoever mapped it.</summary>
internal static class Endpoints
{
    public static List<EndpointLine> Lines(this CommandsApp app) =>
    [
        .. from endpoint in app.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
           let name = endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()!.EndpointName
           from method in endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()?.HttpMethods ?? ["GET"]
           let pattern = "/" + endpoint.RoutePattern.RawText!.Trim('/')
           orderby pattern, method
           select new EndpointLine(name, method, pattern.Replace(":int", "", StringComparison.Ordinal), AccessMatrix.Needs[name]),
    ];

    /// <summary>What the bodies of all endpoints consist of; a list of bodies counts as its item.</summary>
    public static List<Type> BodyTypes(this CommandsApp app) =>
    [
        .. app.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .Select(endpoint => endpoint.Metadata.GetMetadata<MethodInfo>())
            .OfType<MethodInfo>()
            .SelectMany(handle => handle.GetParameters())
            .Select(parameter => parameter.ParameterType)
            .Select(type => type.GenericTypeArguments is [var item] ? item : type)
            .Where(type => type.Assembly == typeof(Program).Assembly && type is { IsNestedPublic: true })
            .Distinct(),
    ];
}
