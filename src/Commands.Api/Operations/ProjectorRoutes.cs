using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Operations.Actions;
using ApexShop.Operations;
using static Microsoft.AspNetCore.Http.HttpMethods;
using static Microsoft.AspNetCore.Http.StatusCodes;

namespace ApexShop.Commands.Api.Operations;

/// <summary>The requests that are forwarded to a Projector, which alone may use the read schema.</summary>
internal static class ProjectorRoutes
{
    // A handler only declares its parameters, which are validated here and described in the OpenAPI document. The
    // filter then forwards the request as it was sent.
    public static IReadOnlyList<ProjectorRoute> All { get; } =
    [
        new(Get, "/projection", "GetProjection", typeof(ProjectionStatus),
            () => { },
            "Returns how far the documents have followed the event log."),
        new(Post, "/audit", "AuditDocuments", typeof(AuditProgress),
            (bool repair = false, string after = "") => { },
            "Compares every document with the tables and with its own segment. Streams progress and differences as "
            + "NDJSON lines; the last line is the summary. With `repair`, documents that differ are written again from "
            + "the event log. `after=` with the `next` of the last progress line continues an audit.")
        {
            Lines = [typeof(AuditProgress), typeof(AuditDifference), typeof(AuditSummary), typeof(AuditFailure)],
        },

        new(Get, "/parked", "ListParked", typeof(ParkedList),
            (string resource = "", string after = "", int limit = 100) => { },
            "Lists the aggregates with events that could not be applied to their documents, by resource and id."),
        new(Get, "/parked/{resource}/{id:int}", "GetParked", typeof(ParkedEvents),
            (string resource, int id, long after = 0, int limit = 100) => { },
            "Returns the parked events of one aggregate in order, each with its reason. Those of orders also "
            + "need `orders:read`, those of users `users:read`."),
        new(Post, "/parked/{resource}/{id:int}/replay", "ReplayParked", typeof(ParkedReplay),
            (string resource, int id, bool dryRun = false) => { },
            "Applies the parked events of one aggregate in order and stops at the first that fails again. A dry run "
            + "reports the outcome and changes nothing."),
        new(Post, "/parked/replay", "ReplayAllParked", typeof(ParkedReplays),
            (bool dryRun = false, string resource = "", string after = "", int limit = 100) => { },
            "Replays the parked events of up to 100 aggregates, each independently of the others."),
        new(Post, "/parked/{resource}/{id:int}/heal", "HealAggregate", typeof(AggregateHeal),
            (string resource, int id) => { },
            "Writes a document again from the last event of its aggregate in the log, whatever the document contains, "
            + "and deletes the aggregate's parked events, if there are any."),
        new(Delete, "/parked/{resource}/{id:int}", "DiscardParked", typeof(ParkedDiscard),
            (string resource, int id) => { },
            "Deletes the parked events of one aggregate. The document stays as it is, later events are applied to it "
            + "again, and the response describes what is lost."),

        new(Get, "/dead-letters", "ListDeadLetters", typeof(DeadLetterList),
            (int after = 0, int limit = 100) => { },
            "Lists the messages that no Projector could read, by number, with the start of each body if the key has "
            + "`orders:read` and `users:read` too."),
        new(Get, "/dead-letters/{id:int}", "GetDeadLetter", typeof(DeadLetter),
            (int id) => { },
            "Returns one message that could not be read, with at most one mebibyte of its body. Needs `orders:read` "
            + "and `users:read` too."),
        new(Post, "/dead-letters/{id:int}/replay", "ReplayDeadLetter", typeof(DeadLetterReplay),
            (int id, bool dryRun = false) => { },
            "Reads and applies one message again; a message that still cannot be read or applied stays. A dry run only "
            + "reads it and changes nothing."),
        new(Post, "/dead-letters/replay", "ReplayAllDeadLetters", typeof(DeadLetterReplays),
            (bool dryRun = false, int after = 0, int limit = 100) => { },
            "Reads and applies up to 100 messages again, each independently of the others."),
        new(Delete, "/dead-letters/{id:int}", "DiscardDeadLetter", null,
            (int id) => { },
            "Deletes a message that could not be read. The documents get its events from the event log anyway."),

        new(Get, "/projections/rebuild", "GetRebuild", typeof(RebuildStatus),
            () => { },
            "Returns the progress of the running rebuild, or the outcome of the last one, with the reason if it "
            + "failed."),
        new(Post, "/projections/rebuild", "StartRebuild", typeof(RebuildStatus),
            () => { },
            "Starts to build all documents again from the event log, in new tables, which replace the current ones "
            + "when they agree with the log. Location is the URL of the progress.")
        {
            Status = Status202Accepted, HasConflict = true, Location = "/admin/projections/rebuild",
        },
        new(Post, "/projections/rollback", "RollBackRebuild", typeof(RebuildStatus),
            () => { },
            "Replaces the documents with those from before the last rebuild, to which the events since then are "
            + "applied first, or after it if they cannot be applied within eight seconds.")
        {
            HasConflict = true,
        },
        new(Delete, "/projections/previous", "DropPrevious", null,
            () => { },
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

    internal static void Map(IEndpointRouteBuilder admin, ProjectorRoute route)
    {
        route.RequireSimpleParameters();
        // The handlers only declare parameters, and nothing calls them: a generated one would not be faster.
#pragma warning disable RDG002
        var endpoint = admin.MapMethods(route.Path, [route.Method], route.Handler)
#pragma warning restore RDG002
            .WithName(route.Name)
            .WithDescription(route.Description)
            .WithMetadata(route)
            .Produces(route.Status, route.Response, route.Lines is [] ? null : NdJson.ContentType);
        if (route.Lines is not []) endpoint.WithMetadata(new NdJsonMetadata(route.Lines)).DisableRequestTimeout();
        if (route.HasConflict) endpoint.ProducesProblem(Status409Conflict);
    }

    private static async ValueTask<object?> ForwardAsync(
        EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        var http = context.HttpContext;
        var route = http.GetEndpoint()!.Metadata.GetRequiredMetadata<ProjectorRoute>();
        if (route.Changes(http.Request.Query))
        {
            var actions = http.RequestServices.GetRequiredService<OperatorActions>();
            await actions.RecordAsync(route.Name, http.Request.Path, http.RequestAborted);
        }

        await http.RequestServices.GetRequiredService<ProjectorClient>().ForwardAsync(http, route.Location);
        return TypedResults.Empty;
    }
}
