using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Completes a request body: examples, the number of items in a list, NDJSON beside a JSON array.</summary>
internal static class RequestBody
{
    public static void Complete(JsonObject body, int? maxItems)
    {
        if (PatchBody.Is(body)) return;
        var content = body["content"]!.AsObject();
        foreach (var media in content.Select(media => media.Value!)) media["schema"] = WithoutNull(media["schema"]!);
        if (content["application/json"] is not { } json) return;
        json["example"] = Examples.Of(json["schema"]!);
        if (content[NdJson.ContentType]?["schema"]?["items"] is not { } item) return;

        body["description"] = "A JSON array, or NDJSON: one item per line; its schema is that of a line.";
        json["schema"]!["minItems"] = 1;
        if (maxItems is { } most) json["schema"]!["maxItems"] = most;
        content[NdJson.ContentType] = new JsonObject
        {
            ["schema"] = item.DeepClone(),
            ["example"] = Examples.LineOf(item),
        };
    }

    // A body may be left out, but it may not be null.
    private static JsonNode WithoutNull(JsonNode schema)
    {
        var alternatives = schema["oneOf"] as JsonArray ?? [schema.DeepClone()];
        return alternatives.First(one => (one!["type"] as JsonValue)?.ToString() != "null")!.DeepClone();
    }
}
