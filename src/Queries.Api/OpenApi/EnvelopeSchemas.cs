using System.Text.Json.Nodes;
using ApexShop.Errors;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>What stands around documents, and the answers that are none.</summary>
internal static class EnvelopeSchemas
{
    public const string Problem = "Problem";
    public const string Limits = "Limits";
    public const string Live = "Live";
    public const string Ready = "Ready";
    public const string Description = "OpenApi";

    public static string PageOf(ReadModel resource) => $"{DocumentSchemas.NameOf(resource)}Page";

    public static string FirstPageOf(ReadModel resource) => $"{DocumentSchemas.NameOf(resource)}PageV1";

    public static string SliceOf(ReadModel resource) => $"{DocumentSchemas.NameOf(resource)}Slice";

    public static JsonObject All()
    {
        var schemas = new JsonObject();
        foreach (var resource in ReadModel.All)
        {
            schemas[DocumentSchemas.NameOf(resource)] = DocumentSchemas.Of(resource);
            schemas[FirstPageOf(resource)] = Whole([Data(resource), .. Numbers()]);
            schemas[PageOf(resource)] = Whole([Data(resource), .. Numbers(), ("hasPrevious", Flag()), ("hasNext", Flag())]);
            schemas[SliceOf(resource)] = Whole([Data(resource), Size(), ("hasMore", Flag()), ("nextCursor", Cursor()), ("prevCursor", Cursor())]);
        }

        schemas[Problem] = ProblemSchema();
        schemas[Limits] = Whole([("limits", Array(Whole([("name", Text()), ("value", Number(0)), ("unit", Text()), ("beyond", Text())])))]);
        schemas[Live] = Whole([("status", OneOf("live"))]);
        schemas[Ready] = Whole(
        [
            ("status", OneOf("ready", "not ready", "stopping")),
            ("checks", Whole([("postgres", OneOf("ok", "unavailable")), ("redis", OneOf("ok", "unavailable"))])),
        ]);
        schemas[Description] = new JsonObject { ["type"] = "object", ["description"] = "An OpenAPI 3.1 document: this one." };
        return schemas;
    }

    private static JsonObject ProblemSchema()
    {
        var schema = Whole([("title", Text()), ("status", Number(400)), ("code", OneOf([.. Codes()])), ("traceId", Text())]);
        var members = schema["properties"]!.AsObject();
        members["detail"] = Text();
        members["errors"] = new JsonObject { ["type"] = "object", ["additionalProperties"] = Array(Text()) };
        schema["description"] = "RFC 9457; a code never changes its meaning, errors names what is wrong by parameter.";
        return schema;
    }

    private static IEnumerable<string> Codes() =>
        ErrorCatalogue.Both.Concat(ErrorCatalogue.Queries).Select(code => code.Code).Order(StringComparer.Ordinal);

    private static (string, JsonNode) Data(ReadModel resource) => ("data", Array(Json.Schema(DocumentSchemas.NameOf(resource))));

    private static IEnumerable<(string, JsonNode)> Numbers() =>
        [("page", Number(1)), Size(), ("totalCount", Number(0)), ("totalPages", Number(0))];

    private static (string, JsonNode) Size() =>
        ("pageSize", new JsonObject { ["type"] = "integer", ["minimum"] = 1, ["maximum"] = PageRequest.MaxSize });

    /// <summary>An object that has all of these members, always.</summary>
    private static JsonObject Whole(IReadOnlyList<(string Name, JsonNode Schema)> members) => new()
    {
        ["type"] = "object",
        ["required"] = Json.Words(members.Select(member => member.Name)),
        ["properties"] = Json.Members(members),
    };

    private static JsonObject Array(JsonObject items) => new() { ["type"] = "array", ["items"] = items };

    private static JsonObject Text() => new() { ["type"] = "string" };

    private static JsonObject Flag() => new() { ["type"] = "boolean" };

    private static JsonObject Number(int least) => new() { ["type"] = "integer", ["minimum"] = least };

    private static JsonObject Cursor() => new() { ["type"] = Json.Words(["string", "null"]) };

    private static JsonObject OneOf(params string[] words) => new() { ["type"] = "string", ["enum"] = Json.Words(words) };
}
