using System.Text.Json.Nodes;

namespace ApexShop.TestKit.OpenApi;

/// <summary>One operation of the document; references are resolved.</summary>
public sealed record DescribedOperation(ApiDescription Description, string Method, string Path, JsonObject Json)
{
    public string Id => (string)Json["operationId"]!;

    public IEnumerable<JsonObject> Parameters =>
        ((JsonArray?)Json["parameters"] ?? []).Select(parameter => Description.Resolve(parameter!));

    public JsonObject? Body => Json["requestBody"] is { } body ? Description.Resolve(body) : null;

    public bool NeedsKey => Json["security"] is JsonArray { Count: > 0 };

    public IEnumerable<string> Statuses => Json["responses"]!.AsObject().Select(answer => answer.Key);

    public JsonObject? Response(int status) =>
        Json["responses"]!.AsObject().TryGetPropertyValue($"{status}", out var answer)
            ? Description.Resolve(answer!)
            : null;

    public bool Takes(string parameter) => Parameters.Any(one => (string?)one["name"] == parameter);

    public override string ToString() => $"{Method} {Path}";
}

/// <summary>The document at /openapi/v1.json as a client reads it: plain JSON.</summary>
public sealed class ApiDescription(JsonObject json)
{
    public JsonObject Json => json;

    public IReadOnlyList<DescribedOperation> Operations =>
    [
        .. from path in json["paths"]!.AsObject()
           from method in path.Value!.AsObject()
           select new DescribedOperation(this, method.Key.ToUpperInvariant(), path.Key, method.Value!.AsObject()),
    ];

    public static async Task<ApiDescription> ReadAsync(HttpClient http) =>
        new(JsonNode.Parse(await http.GetStringAsync("/openapi/v1.json"))!.AsObject());

    public JsonObject Resolve(JsonNode node)
    {
        if (node["$ref"] is not { } reference) return node.AsObject();
        JsonNode target = json;
        foreach (var step in ((string)reference!).Split('/').Skip(1)) target = target[step]!;
        return target.AsObject();
    }

    /// <summary>Every object in the document, with the path to it.</summary>
    public IEnumerable<(string Path, JsonObject Object)> Objects() => Objects("$", json);

    private static IEnumerable<(string Path, JsonObject Object)> Objects(string path, JsonNode? node) => node switch
    {
        JsonObject found =>
            found.SelectMany(member => Objects($"{path}.{member.Key}", member.Value)).Prepend((path, found)),
        JsonArray list => list.SelectMany((item, index) => Objects($"{path}[{index}]", item)),
        _ => [],
    };
}
