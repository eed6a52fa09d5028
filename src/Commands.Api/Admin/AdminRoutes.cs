using ApexShop.Access;

namespace ApexShop.Commands.Api.Admin;

internal static class AdminRoutes
{
    public static void MapEvents(this IEndpointRouteBuilder app)
    {
        var events = app.MapGroup("/events").WithTags("events").RequireScope(Scopes.EventsRead);
        ReadEvents.Map(events);
    }

    public static void MapAdmin(this IEndpointRouteBuilder app)
    {
        var admin = app.MapGroup("/admin").WithTags("admin").RequireScope(Scopes.Admin);
        SeedShop.Map(admin);
    }
}
