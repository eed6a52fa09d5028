namespace ApexShop.Commands.Api.Operations.Seeding;

internal static class SeedingRoutes
{
    public static void MapSeeding(this IEndpointRouteBuilder app) =>
        SeedShop.Map(app.MapGroup("/admin").WithTags("admin"));
}
