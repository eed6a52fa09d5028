namespace ApexShop.Commands.Api.Rebuilding;

internal static class RebuildingRoutes
{
    public static void MapRebuilding(this IEndpointRouteBuilder app)
    {
        var admin = app.MapGroup("/admin").WithTags("admin");
        StartRebuild.Map(admin);
        GetRebuild.Map(admin);
        RollBackRebuild.Map(admin);
        DropPrevious.Map(admin);
    }
}
