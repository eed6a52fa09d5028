using ApexShop.Commands.Api.Hosting;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The health checks, which the framework maps without a word about what they answer.</summary>
internal static class HealthPaths
{
    public static void AddTo(OpenApiDocument document)
    {
        var report = new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Description = "The process and what it depends on.",
            Required = new HashSet<string> { "status", "checks" },
            AdditionalPropertiesAllowed = false,
            Properties = new Dictionary<string, IOpenApiSchema>
            {
                ["status"] = OneOf("ready", "not ready"),
                ["checks"] = new OpenApiSchema { Type = JsonSchemaType.Object, AdditionalProperties = OneOf("ok", "away") },
            },
        };
        document.AddComponent<IOpenApiSchema>("HealthReport", report);
        var json = new OpenApiMediaType { Schema = new OpenApiSchemaReference("HealthReport", document) };
        Add(document, "/health/live", Health.Live, "Is alive", "The process runs.", new() { ["200"] = Answer("It runs.", "text/plain", Text()) });
        Add(document, "/health/ready", Health.Ready, "Is ready", "Whether the process can work, with each thing it depends on.", new()
        {
            ["200"] = Answer("It can work; something that it can do without for a while may be away.", "application/json", json),
            ["503"] = Answer("It cannot work.", "application/json", json),
        });
    }

    private static void Add(OpenApiDocument document, string path, string name, string summary, string description, OpenApiResponses answers) =>
        document.Paths.Add(path, new OpenApiPathItem
        {
            Operations = new Dictionary<HttpMethod, OpenApiOperation>
            {
                [HttpMethod.Get] = new()
                {
                    OperationId = name,
                    Summary = summary,
                    Description = description,
                    Tags = new HashSet<OpenApiTagReference> { new("health", document) },
                    Responses = answers,
                },
            },
        });

    private static OpenApiResponse Answer(string description, string type, OpenApiMediaType content) =>
        new() { Description = description, Content = new Dictionary<string, OpenApiMediaType> { [type] = content } };

    private static OpenApiMediaType Text() => new() { Schema = OneOf("Healthy") };

    private static OpenApiSchema OneOf(params string[] values) =>
        new() { Type = JsonSchemaType.String, Enum = [.. values.Select(value => (System.Text.Json.Nodes.JsonNode)value)] };
}
