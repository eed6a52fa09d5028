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

/// <summary>Metadata of an endpoint that serves the event log: as it is now, or live.</summary>
internal sealed record EventsRead(bool IsLive);
