using ApexShop.Access;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;

namespace ApexShop.Projector.Hosting;

/// <summary>
/// Operators' requests about the documents. Commands.Api forwards them, because only the Projector may use the read
/// schema; the caller's key is checked here again.
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
        ListParked.Map(admin);
        GetParked.Map(admin);
        ReplayParked.Map(admin);
        ReplayAllParked.Map(admin);
        HealAggregate.Map(admin);
        DiscardParked.Map(admin);
        ListDeadLetters.Map(admin);
        GetDeadLetter.Map(admin);
        ReplayDeadLetter.Map(admin);
        ReplayAllDeadLetters.Map(admin);
        DiscardDeadLetter.Map(admin);
    }
}
