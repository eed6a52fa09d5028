namespace ApexShop.Commands.Api.Auditing;

internal static class AuditingRoutes
{
    public static void MapAuditing(this IEndpointRouteBuilder app)
    {
        var events = app.MapGroup("/events").WithTags("events");
        ReadChecksums.Map(events);
        ReadAggregates.Map(events);
    }
}
