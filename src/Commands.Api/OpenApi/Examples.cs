using System.Reflection;
using System.Text.Json.Nodes;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// The examples of request and response bodies: examples/Name.json is the example of the schema Name, or of the
/// operation Name.
/// </summary>
internal static class Examples
{
    private const string Folder = "openapi/examples/";

    private static readonly Dictionary<string, JsonObject> bodies = Assembly.GetExecutingAssembly()
        .GetManifestResourceNames()
        .Where(name => name.StartsWith(Folder, StringComparison.Ordinal)).Select(Path.GetFileNameWithoutExtension)
        .ToDictionary(name => name!, name => ApiDocument.Read(
            $"examples/{name}.json", ("consistencyToken", ApiDocument.SampleToken)));

    public static JsonNode? Named(string name) => bodies.GetValueOrDefault(name)?.DeepClone();

    /// <summary>An example of a value of the schema, or null where there is none.</summary>
    public static JsonNode? Of(JsonNode schema)
    {
        if (schema["$ref"] is { } reference)
            return Named(((string)reference!).Split('/')[^1]);
        if ((schema["allOf"] ?? schema["anyOf"]) is JsonArray parts) return Of(parts[0]!);
        if (schema["items"] is { } item) return Of(item) is { } example ? new JsonArray(example) : null;
        return (schema["type"] as JsonValue)?.ToString() == "integer" ? 17 : null;
    }

    /// <summary>The example as a line of NDJSON.</summary>
    public static JsonNode? LineOf(JsonNode schema) => Of(schema) is { } example ? example.ToJsonString() + "\n" : null;
}
