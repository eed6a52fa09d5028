using System.Text.Json.Nodes;

namespace ApexShop.OpenApi;

/// <summary>References to the components of an OpenAPI document.</summary>
public static class ComponentReferences
{
    public static JsonObject To(string kind, string name) => new() { ["$ref"] = $"#/components/{kind}/{name}" };

    public static JsonObject ToSchema(string name) => To("schemas", name);

    /// <summary>
    /// Headers by name; <c>Link:Successor</c> is the header Link as the component Successor describes it.
    /// </summary>
    public static JsonObject ToHeaders(params IEnumerable<string> headers) => new(headers.Select(header =>
    {
        var colon = header.IndexOf(':', StringComparison.Ordinal);
        return KeyValuePair.Create(
            colon < 0 ? header : header[..colon], (JsonNode?)To("headers", header[(colon + 1)..]));
    }));
}
