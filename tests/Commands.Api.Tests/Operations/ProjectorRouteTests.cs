using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Operations;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;

namespace ApexShop.Commands.Api.Tests.Operations;

public sealed class ProjectorRouteTests
{
    [Fact]
    public async Task A_parameter_that_would_not_be_validated_prevents_the_start()
    {
        await using var app = WebApplication.CreateSlimBuilder().Build();
        (string Parameter, Delegate Handler)[] handlers =
        [
            ("body", (int[] body) => { }),
            ("limit", ([Range(1, 100)] int limit) => { }),
            ("key", ([FromHeader] string key) => { }),
        ];

        foreach (var (parameter, handler) in handlers)
        {
            var route = new ProjectorRoute("POST", "/planted", "Planted", null, handler, "");
            Should.Throw<InvalidOperationException>(() => ProjectorRoutes.Map(app, route)).Message
                .ShouldStartWith($"Planted: the parameter '{parameter}' would not be validated");
        }
    }

    [Fact]
    public void The_parameters_of_every_route_are_simple()
    {
        ProjectorRoutes.All.ShouldNotBeEmpty();
        foreach (var route in ProjectorRoutes.All) Should.NotThrow(route.RequireSimpleParameters);
    }

    [Fact]
    public void A_route_has_a_location_where_its_response_is_accepted() =>
        ProjectorRoutes.All.ShouldAllBe(route => route.Location != null == (route.Status == 202));
}
