using System.Text.Json.Nodes;
using System.Text.Json.Schema;

namespace ApexShop.Events;

/// <summary>The contracts as JSON Schema, generated from the types that are serialized.</summary>
public static class EventSchemas
{
    private const string Actor =
        "Name of the API key that made the change; for a customer users/17 in events of orders and users and "
        + "otherwise customer; apexshop for the shop itself.";

    // Members that an event lacks when it is older than they are, or when its request had no trace.
    private static readonly string[] optional = ["traceparent", "logid", "actor", "correlationid"];

    private static readonly JsonSchemaExporterOptions exporting = new()
    {
        TreatNullObliviousAsNonNullable = true,
        TransformSchemaNode = Complete,
    };

    /// <summary>Schema of an event's <c>data</c>; older events lack members that may be null.</summary>
    public static JsonObject OfData(Type contract) =>
        EventJson.ReadingOf(contract) is { } json
            ? (JsonObject)json.GetJsonSchemaAsNode(exporting)
            : throw new ArgumentException($"{contract} is not an event contract.", nameof(contract));

    /// <summary>
    /// Schema of a CloudEvent; <paramref name="data"/> is the schema of its data or a reference to it.
    /// </summary>
    public static JsonObject OfEvent(EventType type, JsonNode data)
    {
        var members = new JsonObject
        {
            ["specversion"] = OneOf("1.0"),
            ["id"] = Text("UUIDv7 of the event.", "format", "uuid"),
            ["source"] = OneOf(CloudEvents.Source),
            ["type"] = OneOf(type.Name),
            ["subject"] = Text("The resource and the aggregate's id.", "pattern", $"^{type.Resource}/[0-9]+$"),
            ["time"] = Text("Time of the change, UTC.", "format", "date-time"),
            ["sequence"] = Text(
                "Position in the event log: 19 digits, so that it sorts as text.", "pattern", "^[0-9]{19}$"),
            ["previous"] = Text("Position of the previous event of the same resource.", "pattern", "^[0-9]{19}$"),
            ["logid"] = Text(
                "The identity of the log; a log with another identity may use positions again.",
                "pattern", "^[0-9a-f]{12}$"),
            ["traceparent"] = Text(
                "W3C trace context of the request that made the change.",
                "pattern", "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$"),
            ["actor"] = Text(Actor, "pattern", "^.+$"),
            ["correlationid"] = Text("Trace id of that request.", "pattern", "^[0-9a-f]{32}$"),
            ["datacontenttype"] = OneOf("application/json"),
            ["data"] = data,
        };
        var required = members.Select(member => member.Key).Where(name => !optional.Contains(name));
        return new JsonObject
        {
            ["type"] = "object",
            ["required"] = new JsonArray([.. required.Select(name => (JsonNode)name)]),
            ["properties"] = members,
        };
    }

    // The exporter cannot describe what a converter writes, and requires every parameter of a constructor.
    private static JsonNode Complete(JsonSchemaExporterContext context, JsonNode schema)
    {
        var underlying = Nullable.GetUnderlyingType(context.TypeInfo.Type);
        var type = underlying ?? context.TypeInfo.Type;
        if (type == typeof(DateTimeOffset)) return Scalar("string", underlying is not null, "format", "date-time");
        // Not multipleOf 0.01: validators calculate with floating point, and some refuse 19.99.
        if (type == typeof(decimal))
            return Scalar("number", underlying is not null, "description", "At most two decimals.");
        if (type == typeof(int)) schema["format"] = "int32";
        if (type == typeof(long)) schema["format"] = "int64";
        foreach (var member in context.TypeInfo.Properties.Where(member => !member.IsRequired))
            (schema["required"] as JsonArray)?.RemoveAll(name => (string?)name == member.Name);
        return schema;
    }

    private static JsonObject Scalar(string type, bool isNullable, string word, JsonNode value) => new()
    {
        ["type"] = isNullable ? new JsonArray(type, "null") : type,
        [word] = value,
    };

    private static JsonObject Text(string description, string word, string value) =>
        new() { ["type"] = "string", ["description"] = description, [word] = value };

    private static JsonObject OneOf(string value) => new() { ["type"] = "string", ["enum"] = new JsonArray(value) };
}
