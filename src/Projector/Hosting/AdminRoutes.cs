using ApexShop.Access;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;

namespace ApexShop.Projector.Hosting;

/// <summary>
/// What operators ask of the documents. Commands.Api hands such requests on to a Projector, since only the Projector
/// may touch the read schema; the caller's key is checked here again.
/// </summary>
internal static class AdminRoutes
{
    public static void MapAdmin(this IEndpointRouteBuilder app)
    {
        var admin = app.MapGroup("/admin").RequireScope(Scopes.Admin);
        GetProjection.Map(admin);
        AuditDocuments.Map(admin);
        StartRebuild.Map(admin);
        GetRebuild.Map(admin);
        RollBack.Map(admin);
        DropPrevious.Map(admin);
        admin.MapParking();
    }
}
