using ApexShop.Commands.Api.OpenApi;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Admin;

/// <summary>
/// POST /admin/audit?repair=: holds every document against the tables and itself, answered by a Projector; tells its progress and
/// what differs as NDJSON lines, of which the last sums up. With repair it puts right what differs, from the event log.
/// </summary>
internal static class AuditDocuments
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/audit", Handle)
        .WithName(nameof(AuditDocuments))
        .WithMetadata(new StreamOf(typeof(AuditProgress), typeof(AuditDifference), typeof(AuditSummary), typeof(AuditFailure)))
        .Produces<AuditProgress>(StatusCodes.Status200OK, Operation.NdJson)
        .DisableRequestTimeout();

    // The query is handed on as it is; the parameter is here to be described, and refused at once when it is none.
    private static Task Handle(HttpContext http, ProjectorGateway projector, bool repair = false) =>
        projector.ForwardAsync(http);
}
