using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>POST /admin/parked/{resource}/{id}/heal: writes a document anew from the last event of the log, whatever stands there now, and drops the parked events of its aggregate; it need not have any.</summary>
internal static class HealAggregate
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/{resource}/{id:int}/heal", Handle)
        .WithName(nameof(HealAggregate))
        .Produces<AggregateHeal>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, string resource, int id) =>
        projector.ForwardAsync(http);
}
