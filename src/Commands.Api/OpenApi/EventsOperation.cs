using System.Globalization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The event log reads its parameters by hand and writes its lines itself: this says what they are.</summary>
internal sealed class EventsOperation : IOpenApiOperationTransformer
{
    public const string ServerSent = "text/event-stream";

    private const string Name = "Event";

    public async Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        if (context.Description.ActionDescriptor.EndpointMetadata.OfType<EventsRead>().SingleOrDefault() is not { } read) return;
        operation.Parameters = [.. Filter(), .. read.IsLive ? Live() : Whole()];
        var content = ((OpenApiResponse)operation.Responses!["200"]).Content = new Dictionary<string, OpenApiMediaType>();
        if (read.IsLive)
        {
            content[ServerSent] = new() { Schema = Text(null, "Records of an id (the position), an event (the type) and data (the event, as GET /events has it), with a blank line after each.") };
            return;
        }

        context.Document!.AddComponent<IOpenApiSchema>(Name, await EventAsync(context, ct));
        content[NdJson.ContentType] = new() { Schema = new OpenApiSchemaReference(Name, context.Document) };
    }

    private static IEnumerable<OpenApiParameter> Filter() =>
    [
        Parameter("after", "The position to start after: the `sequence` of the last event that is known.", Number("int64", 0, null)),
        Parameter("resource", "Events of this resource only.", OneOf(Resource.Names)),
        List("types", "Events of these types only, separated by commas.", isOneText: true, EventTypes.All.Count, OneOf(EventTypes.All.Select(type => type.Name))),
        List("aggregate", "Events of this aggregate only, such as `products/17`; may be repeated.", isOneText: false, EventQuery.MaxAggregates, Text(null, null)),
    ];

    private static IEnumerable<OpenApiParameter> Whole() =>
    [
        Parameter("compacted", "Of each aggregate only the last event that the log has, deletions included; `types` then chooses among those.", new() { Type = JsonSchemaType.Boolean, Default = false }),
        Parameter("limit", "Events to give at most; without it all of them come.", Number("int32", 1, null)),
    ];

    private static IEnumerable<OpenApiParameter> Live() =>
    [
        new() { Name = "Last-Event-ID", In = ParameterLocation.Header, Description = "The id of the last record that was received: the same as `after`, before which it goes.", Schema = Number("int64", 0, null) },
    ];

    private static async Task<OpenApiSchema> EventAsync(OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var states = new List<IOpenApiSchema>();
        foreach (var state in (Type[])[typeof(ProductState), typeof(CategoryState), typeof(OrderState), typeof(ReviewState), typeof(UserState), typeof(DeletedState)])
        {
            var id = state.Name;
            context.Document!.AddComponent<IOpenApiSchema>(id, await context.GetOrCreateSchemaAsync(state, cancellationToken: ct));
            states.Add(new OpenApiSchemaReference(id, context.Document));
        }

        return new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Description = "A CloudEvent 1.0: what became of one aggregate. `data` is its whole state after the change.",
            Required = new HashSet<string> { "specversion", "id", "source", "type", "subject", "time", "sequence", "previous", "datacontenttype", "data" },
            Properties = new Dictionary<string, IOpenApiSchema>
            {
                ["specversion"] = OneOf(["1.0"]),
                ["id"] = Text("uuid", "UUIDv7 of the event."),
                ["source"] = OneOf([CloudEvents.Source]),
                ["type"] = Text(null, "What happened, such as `apexshop.product.created`."),
                ["subject"] = Text(null, "The resource and the aggregate's id, such as `products/17`."),
                ["time"] = Text("date-time", "When it happened, UTC."),
                ["sequence"] = Text(null, "Position in the log: 19 digits, so that it sorts as text."),
                ["previous"] = Text(null, "Position of the same resource's event before this one."),
                ["traceparent"] = Text(null, "W3C trace context of the request that made the change."),
                ["datacontenttype"] = OneOf(["application/json"]),
                ["data"] = new OpenApiSchema { AnyOf = states },
            },
        };
    }

    private static OpenApiParameter Parameter(string name, string description, OpenApiSchema schema) =>
        new() { Name = name, In = ParameterLocation.Query, Description = description, Schema = schema };

    private static OpenApiParameter List(string name, string description, bool isOneText, int most, OpenApiSchema item)
    {
        var parameter = Parameter(name, description, new() { Type = JsonSchemaType.Array, Items = item, MinItems = 1, MaxItems = most });
        (parameter.Style, parameter.Explode) = (ParameterStyle.Form, !isOneText);
        return parameter;
    }

    private static OpenApiSchema Number(string format, int minimum, int? absent) => new()
    {
        Type = JsonSchemaType.Integer,
        Format = format,
        Minimum = minimum.ToString(CultureInfo.InvariantCulture),
        Default = absent,
    };

    private static OpenApiSchema Text(string? format, string? description) =>
        new() { Type = JsonSchemaType.String, Format = format, Description = description };

    private static OpenApiSchema OneOf(IEnumerable<string> values) =>
        new() { Type = JsonSchemaType.String, Enum = [.. values.Select(value => (System.Text.Json.Nodes.JsonNode)value)] };
}
