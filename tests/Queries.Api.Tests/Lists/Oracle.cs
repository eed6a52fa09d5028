using System.Globalization;
using System.Text.Json;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>The expected contents of a list, computed from the documents and without SQL.</summary>
internal static class Oracle
{
    /// <summary>The ids of a list in its order.</summary>
    public static List<int> Ids(
        string resource, IEnumerable<JsonElement> documents, IReadOnlyDictionary<string, string> filters, string? sort)
    {
        var kept = documents.Where(
            document => filters.All(filter => Holds($"{resource}.{filter.Key}", document, filter.Value)));
        var order = sort ?? UsualSort(resource, filters.Keys);
        var isDescending = order is "newest" or "rating" || order[0] == '-';
        var key = Key(resource, order.TrimStart('-'));
        var sorted = kept.Order(
            Comparer<JsonElement>.Create((a, b) => key(a, b) is var c and not 0 ? c : Id(a).CompareTo(Id(b))));
        return [.. (isDescending ? sorted.Reverse() : sorted).Select(Id)];
    }

    public static int Id(JsonElement document) => document.GetProperty("id").GetInt32();

    private static string UsualSort(string resource, IEnumerable<string> filters)
    {
        var sort = (
            resource,
            filters.Intersect(["modifiedAfter", "fromDate", "toDate", "createdAfter"]).FirstOrDefault()) switch
        {
            (_, null) => "id",
            (_, "modifiedAfter") => "modified",
            _ => "newest",
        };
        return sort;
    }

    private static bool Holds(string filter, JsonElement d, string text) => filter switch
    {
        "products.categoryId" => IsOneOf(text, d.GetProperty("category").GetProperty("id").GetRawText()),
        "products.minPrice" => Amount(d, "price") >= Amount(text),
        "products.maxPrice" => Amount(d, "price") <= Amount(text),
        "products.inStock" => d.GetProperty("stock").GetInt32() > 0 == (text == "true"),
        "products.isFeatured" => d.GetProperty("isFeatured").GetBoolean() == (text == "true"),
        "products.modifiedAfter" => Modified(d) > Time(text),
        "products.q" => text switch
        {
            "chairs" => Says(d, "chair"),
            "wooden -chair" => Says(d, "wooden") && !Says(d, "chair"),
            "\"wooden table\"" => Says(d, "wooden table"),
            _ => false,
        },
        "orders.customerId" => IsOneOf(text, d.GetProperty("customer").GetProperty("id").GetRawText()),
        "orders.status" => IsOneOf(text, d.GetProperty("status").GetString()!),
        "orders.fromDate" => Time(d, "orderDate") >= Time(text),
        "orders.toDate" => Time(d, "orderDate") <= Time(text),
        "orders.minAmount" => Amount(d, "totalAmount") >= Amount(text),
        "reviews.productId" => IsOneOf(text, d.GetProperty("product").GetProperty("id").GetRawText()),
        "reviews.userId" => IsOneOf(text, d.GetProperty("user").GetProperty("id").GetRawText()),
        "reviews.minRating" => d.GetProperty("rating").GetInt32() >= int.Parse(text, CultureInfo.InvariantCulture),
        "users.createdAfter" => Time(d, "createdDate") > Time(text),
        "users.email" => string.Equals(d.GetProperty("email").GetString(), text, StringComparison.OrdinalIgnoreCase),
        _ when filter.EndsWith(".isActive", StringComparison.Ordinal) =>
            d.GetProperty("isActive").GetBoolean() == (text == "true"),
        _ => throw new ArgumentOutOfRangeException(nameof(filter), filter, "The oracle has no such filter."),
    };

    private static bool IsOneOf(string values, string value) => values.Split(',').Contains(value);

    private static Comparison<JsonElement> Key(string resource, string sort) => sort switch
    {
        "id" => (_, _) => 0,
        "price" => By(d => Amount(d, "price")),
        "amount" => By(d => Amount(d, "totalAmount")),
        "name" => (a, b) => string.CompareOrdinal(a.GetProperty("name").GetString(), b.GetProperty("name").GetString()),
        "rating" when resource == "products" => By(d => Amount(d.GetProperty("rating"), "average")),
        "rating" => By(d => d.GetProperty("rating").GetInt32()),
        "newest" => By(d => Time(d, resource == "orders" ? "orderDate" : "createdDate")),
        "modified" => By(Modified),
        _ => throw new ArgumentOutOfRangeException(nameof(sort), sort, "The oracle has no such sort."),
    };

    private static Comparison<JsonElement> By<T>(Func<JsonElement, T> value) where T : IComparable<T> =>
        (a, b) => value(a).CompareTo(value(b));

    private static bool Says(JsonElement d, string words) =>
        $"{d.GetProperty("name")} {d.GetProperty("description")}".Contains(words, StringComparison.OrdinalIgnoreCase);

    private static DateTimeOffset Modified(JsonElement d) =>
        d.GetProperty("updatedDate").ValueKind == JsonValueKind.Null ? Time(d, "createdDate") : Time(d, "updatedDate");

    private static decimal Amount(JsonElement d, string name) => d.GetProperty(name).GetDecimal();

    private static decimal Amount(string text) => decimal.Parse(text, CultureInfo.InvariantCulture);

    private static DateTimeOffset Time(JsonElement d, string name) => d.GetProperty(name).GetDateTimeOffset();

    private static DateTimeOffset Time(string text) =>
        DateTimeOffset.Parse(
            Uri.UnescapeDataString(text), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
