using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Operations.Actions;
using ApexShop.Operations;
using static Microsoft.AspNetCore.Http.StatusCodes;

namespace ApexShop.Commands.Api.Operations;

/// <summary>The requests that are forwarded to a Projector, which alone may use the read schema.</summary>
internal static class ProjectorRoutes
{
    // A handler only declares its parameters, which are checked and described in the OpenAPI document. The filter then
    // forwards the request as it was sent. Each handler stands in the call of its Map method, because only there the
    // compiler generates its delegate; those that are made at run time slow the start (docs/performance.md, Starts).
    public static IReadOnlyList<ProjectorRoute> All { get; } =
    [
        new("GetProjection", typeof(ProjectionStatus),
            admin => admin.MapGet("/projection", () => { }),
            "Returns how far the documents have followed the event log."),
        new("AuditDocuments", typeof(AuditProgress),
            admin => admin.MapPost("/audit", (bool repair = false, string after = "") => { }),
            "Compares every document with the tables and with its own segment. Streams progress and differences as "
            + "NDJSON lines; the last line is the summary. With `repair`, documents that differ are written again from "
            + "the event log. `after=` with the `next` of the last progress line continues an audit.")
        {
            ChangesOnlyWith = "repair",
            Lines = [typeof(AuditProgress), typeof(AuditDifference), typeof(AuditSummary), typeof(AuditFailure)],
        },

        new("ListParked", typeof(ParkedList),
            admin => admin.MapGet("/parked", (string resource = "", string after = "", int limit = 100) => { }),
            "Lists the aggregates with events that could not be applied to their documents, by resource and id."),
        new("GetParked", typeof(ParkedEvents),
            admin => admin.MapGet("/parked/{resource}/{id:int}",
                (string resource, int id, long after = 0, int limit = 100) => { }),
            "Returns the parked events of one aggregate in order, each with its reason. Those of orders also "
            + "need `orders:read`, those of users `users:read`."),
        new("ReplayParked", typeof(ParkedReplay),
            admin => admin.MapPost("/parked/{resource}/{id:int}/replay",
                (string resource, int id, bool dryRun = false) => { }),
            "Applies the parked events of one aggregate in order and stops at the first that fails again. A dry run "
            + "reports the outcome and changes nothing."),
        new("ReplayAllParked", typeof(ParkedReplays),
            admin => admin.MapPost("/parked/replay",
                (bool dryRun = false, string resource = "", string after = "", int limit = 100) => { }),
            "Replays the parked events of up to 100 aggregates, each independently of the others.")
        {
            IsLong = true,
        },

        new("HealAggregate", typeof(AggregateHeal),
            admin => admin.MapPost("/parked/{resource}/{id:int}/heal", (string resource, int id) => { }),
            "Writes a document again from the last event of its aggregate in the log, whatever the document contains, "
            + "and deletes the aggregate's parked events, if there are any."),
        new("DiscardParked", typeof(ParkedDiscard),
            admin => admin.MapDelete("/parked/{resource}/{id:int}", (string resource, int id) => { }),
            "Deletes the parked events of one aggregate. The document stays as it is, later events are applied to it "
            + "again, and the response describes what is lost."),

        new("ListDeadLetters", typeof(DeadLetterList),
            admin => admin.MapGet("/dead-letters", (int after = 0, int limit = 100) => { }),
            "Lists the messages that no Projector could read, by number, with the start of each body if the key has "
            + "`orders:read` and `users:read` too."),
        new("GetDeadLetter", typeof(DeadLetter),
            admin => admin.MapGet("/dead-letters/{id:int}", (int id) => { }),
            "Returns one message that could not be read, with at most one mebibyte of its body. Needs `orders:read` "
            + "and `users:read` too."),
        new("ReplayDeadLetter", typeof(DeadLetterReplay),
            admin => admin.MapPost("/dead-letters/{id:int}/replay", (int id, bool dryRun = false) => { }),
            "Reads and applies one message again; a message that still cannot be read or applied stays. A dry run only "
            + "reads it and changes nothing."),
        new("ReplayAllDeadLetters", typeof(DeadLetterReplays),
            admin => admin.MapPost("/dead-letters/replay",
                (bool dryRun = false, int after = 0, int limit = 100) => { }),
            "Reads and applies up to 100 messages again, each independently of the others.")
        {
            IsLong = true,
        },

        new("DiscardDeadLetter", null,
            admin => admin.MapDelete("/dead-letters/{id:int}", (int id) => { }),
            "Deletes a message that could not be read. The documents get its events from the event log anyway."),

        new("GetRebuild", typeof(RebuildStatus),
            admin => admin.MapGet("/projections/rebuild", () => { }),
            "Returns the progress of the running rebuild, or the outcome of the last one, with the reason if it "
            + "failed."),
        new("StartRebuild", typeof(RebuildStatus),
            admin => admin.MapPost("/projections/rebuild", () => { }),
            "Starts to build all documents again from the event log, in new tables, which replace the current ones "
            + "when they agree with the log. Location is the URL of the progress.")
        {
            Status = Status202Accepted, HasConflict = true, Location = "/admin/projections/rebuild",
        },
        new("RollBackRebuild", typeof(RebuildStatus),
            admin => admin.MapPost("/projections/rollback", (long epoch = 0) => { }),
            "Replaces the documents with those from before the last rebuild, to which the events since then are "
            + "applied first, or after it if they cannot be applied within eight seconds. Another rollback reverses "
            + "it; with `epoch` a request whose response was lost can be repeated.")
        {
            HasConflict = true,
        },
        new("DropPrevious", null,
            admin => admin.MapDelete("/projections/previous", () => { }),
            "Drops the documents from before the last rebuild, which then cannot be rolled back, and what an "
            + "incomplete rebuild has left.")
        {
            HasConflict = true,
        },
    ];

    public static void MapProjector(this IEndpointRouteBuilder app)
    {
        var admin = app.MapGroup("/admin").WithTags("admin").AddEndpointFilter(ForwardAsync);
        foreach (var route in All) Map(admin, route);
    }

    private static void Map(IEndpointRouteBuilder admin, ProjectorRoute route)
    {
        var endpoint = route.Map(admin)
            .WithName(route.Name)
            .WithDescription(route.Description)
            .WithMetadata(route)
            .Produces(route.Status, route.Response, route.Lines is [] ? null : NdJson.ContentType);
        if (route.Lines is not []) endpoint.WithMetadata(new NdJsonMetadata(route.Lines)).DisableRequestTimeout();
        if (route.IsLong) endpoint.WithRequestTimeout(RequestTimeLimits.Long);
        if (route.HasConflict) endpoint.ProducesProblem(Status409Conflict);
    }

    private static async ValueTask<object?> ForwardAsync(
        EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        var http = context.HttpContext;
        var route = http.GetEndpoint()!.Metadata.GetRequiredMetadata<ProjectorRoute>();
        if (route.Changes(http.Request))
        {
            var actions = http.RequestServices.GetRequiredService<OperatorActions>();
            await actions.RecordAsync(route.Name, http.Request.Path, http.RequestAborted);
        }

        await http.RequestServices.GetRequiredService<ProjectorClient>().ForwardAsync(http, route.Location);
        return TypedResults.Empty;
    }
}
