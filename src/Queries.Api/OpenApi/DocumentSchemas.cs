using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>The documents as their contracts say, so that a changed contract is a changed description.</summary>
internal static class DocumentSchemas
{
    private static readonly JsonSchemaExporterOptions options = new()
    {
        TreatNullObliviousAsNonNullable = true,
        TransformSchemaNode = Complete,
    };

    /// <summary>The name of a resource's document among the schemas.</summary>
    public static string NameOf(Resource resource) => char.ToUpperInvariant(resource.Singular[0]) + resource.Singular[1..];

    public static JsonObject Of(Resource resource)
    {
        var schema = ReadModelJson.ViewOf(resource.Name).GetJsonSchemaAsNode(options).AsObject();
        if (resource.Name == "orders") ((JsonObject)schema["properties"]!["status"]!)["enum"] = Json.Words(ValueKind.OrderStatuses);
        schema["description"] = $"One {resource.Singular}; version goes up with each change of what it stands for.";
        return schema;
    }

    // What has a converter of its own is a blank to the exporter, and how large a whole number may be it does not say.
    private static JsonNode Complete(JsonSchemaExporterContext context, JsonNode schema)
    {
        var type = Nullable.GetUnderlyingType(context.TypeInfo.Type) ?? context.TypeInfo.Type;
        var isNullable = type != context.TypeInfo.Type;
        if (type == typeof(decimal)) return Typed("number", isNullable, "multipleOf", 0.01m);
        if (type == typeof(DateTimeOffset)) return Typed("string", isNullable, "format", "date-time");
        if (type == typeof(int)) return Typed("integer", isNullable, "format", "int32");
        return type == typeof(long) ? Typed("integer", isNullable, "format", "int64") : schema;
    }

    private static JsonObject Typed(string type, bool isNullable, string word, JsonNode value) => new()
    {
        ["type"] = isNullable ? Json.Words([type, "null"]) : type,
        [word] = value,
    };
}
