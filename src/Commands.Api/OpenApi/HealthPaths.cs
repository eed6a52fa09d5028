using ApexShop.Hosting;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The health checks, which write their answers without a word about what they are.</summary>
internal static class HealthPaths
{
    public static void AddTo(OpenApiDocument document)
    {
        var live = Report(("status", OneOf("live")));
        var ready = Report(("status", OneOf("ready", "not ready", "stopping")), ("checks", new OpenApiSchema { Type = JsonSchemaType.Object, AdditionalProperties = OneOf("ok", "unavailable") }));
        Add(document, "/health/live", Probes.Live, "Is alive", "The process runs.", new() { ["200"] = Answer("It runs.", live) });
        Add(document, "/health/ready", Probes.Ready, "Is ready", "Whether the process can work, with each thing it depends on.", new()
        {
            ["200"] = Answer("It can work; something that it can do without for a while may be unavailable.", ready),
            ["503"] = Answer("It cannot work.", ready),
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

    private static OpenApiResponse Answer(string description, OpenApiSchema report) => new()
    {
        Description = description,
        Content = new Dictionary<string, OpenApiMediaType> { ["application/json"] = new() { Schema = report } },
    };

    private static OpenApiSchema Report(params (string Name, OpenApiSchema Schema)[] members) => new()
    {
        Type = JsonSchemaType.Object,
        Required = members.Select(member => member.Name).ToHashSet(),
        Properties = members.ToDictionary(member => member.Name, IOpenApiSchema (member) => member.Schema),
    };

    private static OpenApiSchema OneOf(params string[] values) =>
        new() { Type = JsonSchemaType.String, Enum = [.. values.Select(value => (System.Text.Json.Nodes.JsonNode)value)] };
}
