using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Access;
using ApexShop.Hosting;
using ApexShop.OpenApi;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Telemetry.Prometheus;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>
/// The description of this API, OpenAPI 3.1. Written from what the endpoints themselves go by: resources, filters,
/// contracts, limits, the catalogue of errors.
/// </summary>
internal static class ApiDocument
{
    /// <summary>The name of the one way to say who is asking.</summary>
    public const string Key = "key";

    public static byte[] ToJson(StreamingOptions streaming)
    {
        var bytes = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(bytes, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            Build(streaming).WriteTo(json);
        }

        return bytes.WrittenSpan.ToArray();
    }

    private static JsonObject Build(StreamingOptions streaming) => new()
    {
        ["openapi"] = "3.1.1",
        ["info"] = new JsonObject
        {
            ["title"] = "ApexShop queries",
            ["version"] = "1",
            ["description"] = "What the shop shows: pages, streams, exports and single documents of five resources.",
        },
        ["tags"] = new JsonArray([.. Tags().Select(tag => new JsonObject { ["name"] = tag })]),
        ["paths"] = Json.Members(Operations(streaming).Select(operation => (operation.Path, (JsonNode)new JsonObject
        {
            ["get"] = operation.Get(),
            ["head"] = operation.Head(),
        })).Concat(ProbePaths())),
        ["components"] = new JsonObject
        {
            ["schemas"] = EnvelopeSchemas.All(),
            ["responses"] = ProblemAnswers.Components(),
            ["headers"] = AnswerHeaders.Components(),
            ["securitySchemes"] = new JsonObject { [Key] = new JsonObject { ["type"] = "http", ["scheme"] = "bearer" } },
        },
    };

    private static IEnumerable<string> Tags() => [.. Resource.All.Select(resource => resource.Name), "service"];

    private static IEnumerable<Operation> Operations(StreamingOptions streaming) =>
    [
        .. Resource.All.SelectMany(resource => ResourceOperations.Of(resource, streaming)),
        Fixed("/limits", LimitRoutes.Name, "How much a caller may ask for, and what is said beyond.", EnvelopeSchemas.Limits),
        Fixed(DocsPage.DocumentPath, DocsRoutes.Name, "This description.", EnvelopeSchemas.Description),
        new(MetricsPage.Path, MetricsRoute.Name, "service", "What this process has counted since its start, as Prometheus reads it.")
        {
            Scope = Scopes.MetricsRead,
            Content = [("text/plain", new JsonObject { ["type"] = "string" })],
            Headers = AnswerHeaders.Rate,
            Refusals = [401, 403, 429, 500],
        },
    ];

    private static Operation Fixed(string path, string name, string summary, string schema) => new(path, name, "service", summary)
    {
        Parameters = [Parameters.Known],
        Content = [(AcceptedMedia.Json, Json.Schema(schema))],
        Headers = [.. AnswerHeaders.Document, .. AnswerHeaders.Rate],
        Refusals = [429, 500],
    };

    // Whoever probes counts as no caller, and is answered whatever the rest is busy with.
    private static IEnumerable<(string, JsonNode)> ProbePaths() =>
    [
        ("/health/live", Probe(Probes.Live, "Whether the process runs.", ("200", "It does.", EnvelopeSchemas.Live))),
        ("/health/ready", Probe(
            Probes.Ready,
            "Whether the process can answer, and what it lacks; without Redis it can.",
            ("200", "It can.", EnvelopeSchemas.Ready),
            ("503", "It cannot.", EnvelopeSchemas.Ready))),
    ];

    private static JsonObject Probe(string name, string summary, params (string Status, string Description, string Schema)[] answers) => new()
    {
        ["get"] = new JsonObject
        {
            ["operationId"] = name,
            ["tags"] = Json.Words(["service"]),
            ["summary"] = summary,
            ["responses"] = Json.Members(answers.Select(answer => (answer.Status, (JsonNode)new JsonObject
            {
                ["description"] = answer.Description,
                ["headers"] = AnswerHeaders.References(["Cache-Control"]),
                ["content"] = new JsonObject { [AcceptedMedia.Json] = new JsonObject { ["schema"] = Json.Schema(answer.Schema) } },
            }))),
        },
    };
}
