using ApexShop.Operations;

namespace ApexShop.Commands.Api.Admin;

/// <summary>GET /admin/projection: how far the documents are, answered by a Projector.</summary>
internal static class GetProjection
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projection", Handle)
        .WithName(nameof(GetProjection))
        .Produces<ProjectionStatus>();

    private static Task Handle(HttpContext http, ProjectorGateway projector) => projector.ForwardAsync(http);
}
