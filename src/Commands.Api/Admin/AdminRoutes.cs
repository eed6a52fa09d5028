namespace ApexShop.Commands.Api.Admin;

internal static class AdminRoutes
{
    public static void MapAdmin(this IEndpointRouteBuilder app)
    {
        var admin = app.MapGroup("/admin").WithTags("admin");
        SeedShop.Map(admin);
        GetProjection.Map(admin);
        AuditDocuments.Map(admin);
    }
}
