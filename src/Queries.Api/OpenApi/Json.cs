using System.Text.Json.Nodes;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>JSON as it is written by hand, without a serializer that would have to know types.</summary>
internal static class Json
{
    public static JsonArray Words(IEnumerable<string> words) => new([.. words.Select(word => (JsonNode)word)]);

    public static JsonObject Members(IEnumerable<(string Name, JsonNode Value)> members)
    {
        var json = new JsonObject();
        foreach (var (name, value) in members) json.Add(name, value);
        return json;
    }

    public static JsonObject Reference(string kind, string name) => new() { ["$ref"] = $"#/components/{kind}/{name}" };

    public static JsonObject Schema(string name) => Reference("schemas", name);
}
