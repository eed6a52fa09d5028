using ApexShop.Operations;

namespace ApexShop.Commands.Api.Admin;

/// <summary>GET /admin/projection: how far the documents are, answered by a Projector.</summary>
internal static class GetProjection
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projection", ProjectorGateway.ForwardAsync)
        .WithName(nameof(GetProjection))
        .Produces<ProjectionStatus>();
}
