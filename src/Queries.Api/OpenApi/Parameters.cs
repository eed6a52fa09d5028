using System.Text.Json.Nodes;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.ReadModels;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>
/// The parameters of queries: those in parameters.json, and the filters and the sort of each resource.
/// </summary>
internal sealed class Parameters(StreamingOptions streaming)
{
    private static readonly JsonObject conditions = ApiDocument.Read("filters");

    private readonly JsonObject all = ApiDocument.Read(
        "parameters",
        ("maxSlug", Slug.MaxLength),
        ("slugPattern", Slug.Pattern),
        ("maxSearchText", ValueKind.MaxSearchText),
        ("pageSize", PageRequest.DefaultSize),
        ("maxPageSize", PageRequest.MaxSize),
        ("maxStreamed", streaming.MaxDocuments),
        ("maxExported", streaming.MaxExported));

    /// <summary>The condition of a filter, as a part of a sentence that docs/queries.md has too.</summary>
    public static string Condition(Filter filter) => (string?)conditions[filter.Name]
        ?? throw new InvalidOperationException($"filters.json has no text for the filter {filter.Name}.");

    /// <summary>
    /// The parameters that an operation names; <c>filters</c> is all filters of the resource and its sort, <c>filters
    /// alone</c> is without the sort, and an operation may be <c>without</c> one filter.
    /// </summary>
    public JsonArray Of(JsonObject operation, ReadModel? resource = null)
    {
        resource ??= ReadModel.All.FirstOrDefault(one => one.Name == (string?)operation["resource"]);
        return new([.. operation["parameters"]?.AsArray().Select(name => (string)name!).SelectMany(name => name switch
        {
            "filters" => OfFilters(resource!, (string?)operation["without"]).Append(OfSort(resource!)),
            "filters alone" => OfFilters(resource!),
            "fields" => [OfFields(resource!)],
            _ => [all[name]!.DeepClone()],
        }) ?? []]);
    }

    private static IEnumerable<JsonNode> OfFilters(ReadModel resource, string? without = null)
    {
        foreach (var filter in resource.Filters.Where(one => one.Name != without))
        {
            var parameter = new JsonObject
            {
                ["name"] = filter.Name,
                ["in"] = "query",
                ["description"] = $"Returns only documents whose {Condition(filter)}.",
                ["schema"] = filter.TakesSeveral
                    ? Several(Schema(filter.Kind), ValueKind.MaxSeveral)
                    : Schema(filter.Kind),
            };
            if (filter.TakesSeveral) parameter["explode"] = false;
            yield return parameter;
        }
    }

    private static JsonObject Several(JsonObject value, int most) => new()
    {
        ["type"] = "array",
        ["items"] = value,
        ["minItems"] = 1,
        ["maxItems"] = most,
        ["uniqueItems"] = true,
    };

    private JsonNode OfFields(ReadModel resource)
    {
        var fields = all["fields"]!.DeepClone();
        var members = ReadModelJson.ViewOf(resource.Name).Properties;
        fields["schema"] = Several(OneOf(members.Select(member => member.Name)), members.Count);
        return fields;
    }

    private JsonNode OfSort(ReadModel resource)
    {
        var sort = all["sort"]!.DeepClone();
        sort["schema"] = OneOf(resource.Sorts.Where(sort => sort.IsPublic).Select(sort => sort.Name));
        return sort;
    }

    private static JsonObject Schema(ValueKind kind)
    {
        if (kind == ValueKind.Id) return WholeNumber(int.MaxValue);
        if (kind == ValueKind.Stars) return WholeNumber(5);
        if (kind == ValueKind.Flag) return new() { ["type"] = "boolean" };
        if (kind == ValueKind.Amount) return new()
        {
            ["type"] = "number", ["minimum"] = 0, ["description"] = "At most two decimals.",
        };
        if (kind == ValueKind.OrderStatus) return OneOf(ValueKind.OrderStatuses);
        if (kind == ValueKind.SearchText) return Text(ValueKind.MaxSearchText, kind.Rule);
        if (kind == ValueKind.EmailAddress) return Text(ValueKind.MaxEmailAddress, kind.Rule);
        return new() { ["type"] = "string", ["description"] = kind.Rule };
    }

    private static JsonObject WholeNumber(int maximum) =>
        new() { ["type"] = "integer", ["minimum"] = 1, ["maximum"] = maximum };

    private static JsonObject OneOf(IEnumerable<string> values) =>
        new() { ["type"] = "string", ["enum"] = ApiDocument.Texts(values) };

    private static JsonObject Text(int maxLength, string rule) =>
        new() { ["type"] = "string", ["minLength"] = 1, ["maxLength"] = maxLength, ["description"] = rule };
}
