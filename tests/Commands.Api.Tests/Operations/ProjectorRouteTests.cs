using System.Reflection;
using ApexShop.Commands.Api.Operations;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Operations;

public sealed class ProjectorRouteTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    // The request is forwarded as it was sent, so a parameter that needs more than to be read would not be checked.
    [Fact]
    public void The_parameters_of_every_route_are_simple()
    {
        var endpoints = app.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .Where(endpoint => endpoint.Metadata.GetMetadata<ProjectorRoute>() is not null).ToList();

        endpoints.Count.ShouldBe(ProjectorRoutes.All.Count);
        foreach (var endpoint in endpoints)
        {
            foreach (var parameter in endpoint.Metadata.GetRequiredMetadata<MethodInfo>().GetParameters())
            {
                var what = $"{endpoint.DisplayName}: {parameter.Name}";
                (parameter.ParameterType == typeof(string) || parameter.ParameterType.IsPrimitive).ShouldBeTrue(what);
                parameter.GetCustomAttributes().Select(attribute => attribute.GetType().Namespace ?? "")
                    .ShouldAllBe(name => name.StartsWith("System.Runtime.", StringComparison.Ordinal), what);
            }
        }
    }

    [Fact]
    public void A_route_has_a_location_where_its_response_is_accepted() =>
        ProjectorRoutes.All.ShouldAllBe(route => route.Location != null == (route.Status == 202));
}
