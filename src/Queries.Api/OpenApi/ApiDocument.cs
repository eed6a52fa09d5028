using System.Reflection;
using System.Text.Json.Nodes;
using ApexShop.Errors;
using ApexShop.OpenApi;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>
/// The OpenAPI 3.1 document of this API. Its texts and fixed parts are the JSON files in this folder; resources,
/// filters, contracts, limits and error codes are those that the endpoints use.
/// </summary>
internal static class ApiDocument
{
    /// <summary>The name of the security scheme.</summary>
    public const string Key = "key";

    private const string Service = "service";

    private static readonly IReadOnlyList<ErrorCode> codes = [.. ErrorCatalogue.Both, .. ErrorCatalogue.Queries];

    private static readonly JsonObject checks = JsonNode.Parse("""
        {
          "type": "object",
          "required": ["postgres", "redis", "cacheTags"],
          "properties": {
            "postgres": {"type": "string", "enum": ["ok", "unavailable"]},
            "redis": {"type": "string", "enum": ["ok", "unavailable"]},
            "cacheTags": {"type": "string", "enum": ["ok", "unavailable"]}
          }
        }
        """)!.AsObject();

    public static JsonObject Make(StreamingOptions streaming)
    {
        var problems = new ProblemResponses(Read("problems"), codes);
        var parameters = new Parameters(streaming);
        var document = Read(
            "queries",
            ("tags", new JsonArray([.. ReadModel.All.Select(resource => Tag(resource.Name)), Tag(Service)])),
            ("codes", Texts(codes.Select(code => code.Code).Order(StringComparer.Ordinal))));
        Expand(
            document["paths"]!.AsObject(), operation => new Operation(operation, problems, parameters.Of(operation)));
        foreach (var resource in ReadModel.All) document.Patch(Part(resource, problems, parameters));
        document["components"]!["responses"] = problems.Components();

        var whole = SharedComponents.Read(Key, Service, checks);
        foreach (var (_, path) in whole["paths"]!.AsObject()) path!["head"] = Head(path["get"]!.AsObject());
        whole.Patch(document);
        return whole;
    }

    public static JsonArray Texts(IEnumerable<string> texts) => new([.. texts.Select(text => (JsonNode)text)]);

    /// <summary>Reads a file of this folder.</summary>
    public static JsonObject Read(string file, params IEnumerable<(string Name, JsonNode Value)> values) =>
        EmbeddedJson.Read(Assembly.GetExecutingAssembly(), $"openapi/{file}.json", values);

    private static JsonObject Tag(string name) => new() { ["name"] = name };

    private static JsonObject Head(JsonObject get)
    {
        var head = get.DeepClone().AsObject();
        head["operationId"] = $"{get["operationId"]}Head";
        foreach (var (_, response) in head["responses"]!.AsObject()) response!.AsObject().Remove("content");
        return head;
    }

    // The paths and schemas of one resource.
    private static JsonObject Part(ReadModel resource, ProblemResponses problems, Parameters parameters)
    {
        var part = Read(
            "resource",
            ("resource", resource.Name),
            ("Resources", resource.CapitalizedName),
            ("singular", resource.Singular),
            ("Resource", resource.CapitalizedSingular),
            ("maxPageSize", PageRequest.MaxSize));
        Expand(part["paths"]!.AsObject(), operation =>
        {
            operation["tags"] = Texts([resource.Name]);
            operation["scope"] = resource.Scope;
            if (resource.Owner is null) operation.Remove("customers");
            // A shared cache keeps public documents only.
            if (resource.Scope is not null)
                operation["headers"]!.AsArray().RemoveAll(header => (string?)header == "Surrogate-Key");
            return new Operation(operation, problems, parameters.Of(operation, resource));
        });
        part["components"]!["schemas"]!.AsObject()
            .Patch(new() { [resource.CapitalizedSingular] = DocumentSchemas.Of(resource) });
        return part;
    }

    private static void Expand(JsonObject paths, Func<JsonObject, Operation> read)
    {
        foreach (var path in paths.Select(path => path.Key).ToList())
        {
            var operation = read(paths[path]!.AsObject());
            paths[path] = new JsonObject { ["get"] = operation.Get(), ["head"] = operation.Head() };
        }
    }
}
