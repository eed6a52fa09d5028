using ApexShop.Commands.Api.Operations;

namespace ApexShop.Commands.Api.Tests.Operations;

public sealed class ProjectorRouteTests
{
    [Fact]
    public void A_route_has_a_location_where_its_response_is_accepted() =>
        ProjectorRoutes.All.ShouldAllBe(route => route.Location != null == (route.Status == 202));
}
