using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>A body for each schema that has one, as the seeded shop takes or gives it.</summary>
internal static class Examples
{
    private static readonly Dictionary<string, string> bodies = new(StringComparer.Ordinal)
    {
        ["ProductInput"] = """{"name":"Walnut desk","description":"Two drawers","price":249.90,"stock":12,"categoryId":1,"isActive":true,"isFeatured":false}""",
        ["CategoryInput"] = """{"name":"Desks","description":"To work at","isActive":true}""",
        ["CreateOrder"] = """{"userId":1,"shippingAddress":"1 Analytical Street, London","items":[{"productId":1,"quantity":2}]}""",
        ["UpdateOrder"] = """{"status":"Processing","shippingAddress":"1 Analytical Street, London","trackingNumber":null}""",
        ["CreateReview"] = """{"productId":1,"userId":1,"rating":5,"comment":"Solid"}""",
        ["UpdateReview"] = """{"rating":4,"comment":"Solid, one drawer sticks"}""",
        ["UserInput"] = """{"email":"ada@example.com","firstName":"Ada","lastName":"Lovelace","phoneNumber":"+44 20 7946 0958","password":"correct horse battery","isActive":true}""",
        ["SeedShop"] = """{"scale":1}""",
        ["Saved"] = """{"id":17,"version":1}""",
    };

    public static JsonNode? OfBody(IOpenApiSchema? schema) => schema switch
    {
        OpenApiSchemaReference { Reference.Id: { } name } => Of(name),
        OpenApiSchema { Items: OpenApiSchemaReference { Reference.Id: { } item } } => Of(item) is { } one ? new JsonArray(one) : null,
        OpenApiSchema { Items.Type: JsonSchemaType.Integer } => new JsonArray(17, 18),
        _ => null,
    };

    public static JsonNode? OfLines(IOpenApiSchema line) => OfBody(line)?.ToJsonString() is { } text ? JsonValue.Create(text + "\n") : null;

    private static JsonNode? Of(string name) => bodies.TryGetValue(name, out var json) ? JsonNode.Parse(json) : null;
}
