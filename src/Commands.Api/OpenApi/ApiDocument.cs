using System.Reflection;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Events;
using ApexShop.Consistency;
using ApexShop.Errors;
using ApexShop.Events;
using ApexShop.OpenApi;
using ApexShop.Resources;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// The OpenAPI document. The framework generates paths and schemas from the endpoints; each operation is then
/// completed, and the JSON files in this folder are merged into it. Made for the first request, since it cannot change
/// after the start.
/// </summary>
internal sealed class ApiDocument(
    [FromKeyedServices(OpenApiRegistration.Document)] IOpenApiDocumentProvider provider,
    EndpointDataSource endpoints,
    OperationCompleter completion)
{
    /// <summary>The name of the security scheme.</summary>
    public const string ApiKey = "apiKey";

    public const string Problem = "Problem";

    /// <summary>The Consistency-Token of the examples, signed with a key of no shop.</summary>
    public static string SampleToken { get; } =
        new ConsistencyTokens(new string('A', 44)).Write(new ConsistencyToken([new("products", 17, 1)]));

    private volatile DocumentResponse? response;

    public async Task<IResult> ServeAsync(CancellationToken ct) =>
        (response ??= new DocumentResponse(await MakeAsync(ct))).ToHttp();

    /// <summary>Reads a file of this folder.</summary>
    public static JsonObject Read(string file, params IEnumerable<(string Name, JsonNode Value)> values) =>
        EmbeddedJson.Read(Assembly.GetExecutingAssembly(), $"openapi/{file}", values);

    private async Task<JsonObject> MakeAsync(CancellationToken ct)
    {
        var generated = await provider.GetOpenApiDocumentAsync(ct);
        var document = JsonNode.Parse(
            await generated.SerializeAsJsonAsync(OpenApiSpecVersion.OpenApi3_1, ct))!.AsObject();
        var operations = document["paths"]!.AsObject().SelectMany(path => path.Value!.AsObject()).ToList();

        // The framework's schema of problems has other members than the shop's problems.
        document["components"]!["schemas"]!.AsObject().Remove(Problem);
        document.Patch(SharedComponents.Read(ApiKey, "health", Checks()));
        document.Patch(Texts());
        var problems = Problems();
        document["components"]!["responses"] = problems.Components();
        foreach (var operation in operations.Select(pair => new Operation(pair.Key, pair.Value!.AsObject())))
            completion.Apply(operation, MetadataOf(operation.Name), problems);
        PatchBody.Complete(document["paths"]!.AsObject(), document["components"]!["schemas"]!.AsObject());
        return document;
    }

    private EndpointMetadataCollection MetadataOf(string name) => endpoints.Endpoints
        .Single(endpoint => endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName == name).Metadata;

    private static ProblemResponses Problems() => new(
        Read("problems.json"), [.. ErrorCatalogue.Both, .. ErrorCatalogue.Commands, .. ErrorCatalogue.Projector]);

    private static JsonObject Texts()
    {
        var types = EventTypes.All;
        var states = types.Select(type => type.Data.Name).Distinct();
        return Read(
            "commands.json",
            ("resources", new JsonArray([.. Resource.Names])),
            ("eventTypes", new JsonArray([.. types.Select(type => type.Name)])),
            ("eventTypeCount", types.Count),
            ("maxAggregates", EventQuery.MaxAggregates),
            ("eventSource", CloudEvents.Source),
            ("states", new JsonArray([.. states.Select(ComponentReferences.ToSchema)])),
            ("consistencyToken", SampleToken));
    }

    private static JsonObject Checks() => new()
    {
        ["type"] = "object",
        ["additionalProperties"] = new JsonObject
        {
            ["type"] = "string",
            ["enum"] = new JsonArray("ok", "unavailable"),
        },
    };
}
