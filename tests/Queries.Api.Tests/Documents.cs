using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Tests;

/// <summary>Documents as they are stored, made from their contracts; text, nulls and money vary with the id.</summary>
internal static class Documents
{
    private static readonly DateTimeOffset start = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    public static IReadOnlyList<string> Resources => Resource.Names;

    public static byte[] Body(string resource, int id) => resource switch
    {
        "products" => Json(
            new ProductView(
                id, $"T\u00F6pfe \"{id}\" \u6F22 \U0001F600", id % 3 == 0 ? null : "line\nbreak\tand\\slash",
                id + 0.99m, id % 7, id % 2 == 0, false, At(id), id % 4 == 0 ? null : At(id + 1),
                new Reference(id % 15, "Books"), new Rating(4.5m, id), 1,
                id % 3 == 0 ? null : $"T-{id}", id % 3 == 0 ? null : Slug(id),
                [.. Enumerable.Range(1, id % 3).Select(n => new ProductImage($"/{n}.svg", "T\u00F6pfe", 800, n))],
                "USD"),
            ReadModelJson.Wire.ProductView),
        "categories" => Json(
            new CategoryView(id, $"Category {id}", null, true, At(id), id * 1000, 1), ReadModelJson.Wire.CategoryView),
        "orders" => Json(
            new OrderView(
                id, new Reference(id, null), At(id), "Pending", id * 10.5m, "1 Long Street", null, null, At(id),
                [new OrderItemView(id, "Thing", 2, 5.25m, 10.5m), new OrderItemView(id + 1, null, 1, 0, 0)], 2, 1,
                [new OrderStatusView("Pending", At(id), "storefront")], "USD"),
            ReadModelJson.Wire.OrderView),
        "reviews" => Json(
            new ReviewView(
                id, new Reference(id, "Thing"), new Reference(id, "Ann B."), 1 + (id % 5), "Good", At(id), true, 1),
            ReadModelJson.Wire.ReviewView),
        "users" => Json(
            new UserView(
                id, $"u{id}@example.com", "Ann", "Bee", null, At(id), null, true, 0, 0,
                1), ReadModelJson.Wire.UserView),
        _ => throw new ArgumentOutOfRangeException(nameof(resource)),
    };

    public static IReadOnlyList<int> Ids(JsonElement documents) =>
        [.. documents.EnumerateArray().Select(document => document.GetProperty("id").GetInt32())];

    /// <summary>The slug of a product whose id is no multiple of three; the others have none.</summary>
    public static string Slug(int id) => $"toepfe-{id}";

    // A third of the times are whole seconds, so every form of a timestamp occurs.
    private static DateTimeOffset At(int id) => start.AddMinutes(id).AddMicroseconds(id % 3 * 123_456);

    private static byte[] Json<T>(T view, JsonTypeInfo<T> type) => JsonSerializer.SerializeToUtf8Bytes(view, type);
}
