namespace ApexShop.Commands.Api.Events;

internal static class EventsRoutes
{
    public static void MapEvents(this IEndpointRouteBuilder app)
    {
        var events = app.MapGroup("/events").WithTags("events");
        ReadEvents.Map(events);
        FollowEvents.Map(events);
    }
}
