using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>The schemas of documents, made from the contracts that the Projector writes.</summary>
internal static class DocumentSchemas
{
    private static readonly JsonSchemaExporterOptions options = new()
    {
        TreatNullObliviousAsNonNullable = true,
        TransformSchemaNode = Complete,
    };

    public static JsonObject Of(ReadModel resource)
    {
        var schema = ReadModelJson.ViewOf(resource.Name).GetJsonSchemaAsNode(options).AsObject();
        var members = schema["properties"]!.AsObject();
        // A default is only for reading a document of an earlier release; every member is written.
        schema["required"] = ApiDocument.Texts(members.Select(member => member.Key));
        foreach (var (_, member) in members) member!.AsObject().Remove("default");
        if (members["currency"] is { } currency) currency["pattern"] = "^[A-Z]{3}$";
        if (resource.Name == "orders") members["status"]!["enum"] = ApiDocument.Texts(ValueKind.OrderStatuses);
        return schema;
    }

    // The exporter leaves out what a converter writes, and the size of integers.
    private static JsonNode Complete(JsonSchemaExporterContext context, JsonNode schema)
    {
        var type = Nullable.GetUnderlyingType(context.TypeInfo.Type) ?? context.TypeInfo.Type;
        var isNullable = type != context.TypeInfo.Type;
        if (type == typeof(decimal)) return Typed("number", isNullable, "description", "At most two decimals.");
        if (type == typeof(DateTimeOffset)) return Typed("string", isNullable, "format", "date-time");
        if (type == typeof(int)) return Typed("integer", isNullable, "format", "int32");
        return type == typeof(long) ? Typed("integer", isNullable, "format", "int64") : schema;
    }

    private static JsonObject Typed(string type, bool isNullable, string keyword, JsonNode value) => new()
    {
        ["type"] = isNullable ? ApiDocument.Texts([type, "null"]) : type,
        [keyword] = value,
    };
}
