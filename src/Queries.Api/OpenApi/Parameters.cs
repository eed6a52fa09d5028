using System.Text.Json.Nodes;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>What a query may be given.</summary>
internal static class Parameters
{
    public static JsonObject Id { get; } = new()
    {
        ["name"] = "id", ["in"] = "path", ["required"] = true, ["schema"] = new JsonObject { ["type"] = "integer", ["format"] = "int32" },
    };

    public static JsonObject Known { get; } = Header("If-None-Match", "The ETag of the answer that the client has: 304 while it is still the answer.", "\"1-17\"");

    public static JsonObject Consistency { get; } = Header(
        ConsistencyToken.Header,
        "What a command answered with: the query waits until the documents know that change, or is a 503.",
        new ConsistencyToken([new("products", 17, 1)]).ToString());

    public static IEnumerable<JsonObject> Page { get; } =
    [
        Query("page", "Number of the page.", Whole(1, null, 1)),
        PageSize,
    ];

    public static IEnumerable<JsonObject> Places { get; } =
    [
        Query("after", "A nextCursor: the page behind it.", new JsonObject { ["type"] = "string" }),
        Query("before", "A prevCursor: the page before it.", new JsonObject { ["type"] = "string" }),
        Query("afterId", "The id of a document to begin behind, instead of a cursor.", Whole(0, null, null)),
        PageSize,
    ];

    public static JsonObject Limit(int most) => Query(
        "limit", "The first so many documents; more than the most counts as that.", Whole(1, null, most));

    public static JsonObject ResumeAfter { get; } = Query(
        "after", "The id of the last document that arrived: goes on behind it, in the order of ids.", Whole(0, null, null));

    private static JsonObject PageSize => Query(
        "pageSize", $"Documents of a page; more than {PageRequest.MaxSize} counts as that.", Whole(1, null, PageRequest.DefaultSize));

    /// <summary>Filters and sort, which all lists of a resource have.</summary>
    public static IEnumerable<JsonObject> OfList(ReadModel resource)
    {
        foreach (var filter in resource.Filters) yield return Query(filter.Name, FilterTexts.Of(filter), SchemaOf(filter.Kind));
        var sorts = resource.Sorts.Where(sort => sort.IsPublic).Select(sort => sort.Name);
        yield return Query("sort", "The order; without one it is that of ids, or what a filter by date brings.", OneOf(sorts));
    }

    private static JsonObject SchemaOf(ValueKind kind)
    {
        if (kind == ValueKind.Id) return Whole(1, int.MaxValue, null);
        if (kind == ValueKind.Stars) return Whole(1, 5, null);
        if (kind == ValueKind.Flag) return new() { ["type"] = "boolean" };
        if (kind == ValueKind.Amount) return new() { ["type"] = "number", ["minimum"] = 0, ["multipleOf"] = 0.01m };
        if (kind == ValueKind.OrderStatus) return OneOf(ValueKind.OrderStatuses);
        if (kind == ValueKind.SearchText) return Text(ValueKind.MaxSearchText, kind.Rule);
        if (kind == ValueKind.EmailAddress) return Text(ValueKind.MaxEmailAddress, kind.Rule);
        return new() { ["type"] = "string", ["description"] = kind.Rule };
    }

    private static JsonObject Query(string name, string description, JsonObject schema) => new()
    {
        ["name"] = name, ["in"] = "query", ["description"] = description, ["schema"] = schema,
    };

    private static JsonObject Header(string name, string description, string example) => new()
    {
        ["name"] = name,
        ["in"] = "header",
        ["description"] = description,
        ["schema"] = new JsonObject { ["type"] = "string" },
        ["example"] = example,
    };

    private static JsonObject Text(int most, string rule) =>
        new() { ["type"] = "string", ["minLength"] = 1, ["maxLength"] = most, ["description"] = rule };

    private static JsonObject OneOf(IEnumerable<string> words) => new() { ["type"] = "string", ["enum"] = Json.Words(words) };

    private static JsonObject Whole(int least, int? most, int? absent)
    {
        var schema = new JsonObject { ["type"] = "integer", ["minimum"] = least };
        if (most is { } maximum) schema["maximum"] = maximum;
        if (absent is { } value) schema["default"] = value;
        return schema;
    }
}
