using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>Documents that vary in every filter and sort, with many equal values.</summary>
public class VariedShop : ReadShop
{
    public const int Count = 80;

    private static readonly DateTimeOffset start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly string[] names =
        ["Wooden chair", "chairs of steel", "Wooden table", "\u00C4pfel", "Lamp", "lamp"];
    private static readonly string[] statuses = ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];
    private readonly Dictionary<string, SortedDictionary<int, JsonElement>> living = [];

    /// <summary>The living documents of a resource by id.</summary>
    public SortedDictionary<int, JsonElement> Living(string resource) => living[resource];

    /// <summary>A document with random values, determined by its id and the turn.</summary>
    public static byte[] Body(string resource, int id, int turn)
    {
        // Seeded, so that each run has the same data.
        var random = new Random((id * 31) + turn);
        bool Rarely() => random.Next(6) == 0;
        DateTimeOffset At() => start.AddHours(random.Next(60) * 24).AddMicroseconds(random.Next(3) * 500_000);
        var (amount, name) = (random.Next(40) * 5.05m, names[random.Next(names.Length)]);
        return resource switch
        {
            "products" => Json(
                new ProductView(
                    id, name, Rarely() ? null : $"The {names[random.Next(names.Length)]}", amount,
                    Rarely() ? 0 : 3, !Rarely(), Rarely(), At(), random.Next(2) == 0 ? null : At(),
                    new Reference(random.Next(1, 6), "Books"),
                    new Rating(random.Next(20) / 4m, 1), turn, null, $"product-{id}"),
                ReadModelJson.Wire.ProductView),
            "categories" =>
                Json(new CategoryView(id, name, null, !Rarely(), At(), 0, turn), ReadModelJson.Wire.CategoryView),
            "orders" => Json(
                new OrderView(
                    id, new Reference(random.Next(1, 12), null), At(), statuses[random.Next(5)], amount,
                    "1 Long Street",
                    null, null, null, [], 0, turn),
                ReadModelJson.Wire.OrderView),
            "reviews" => Json(
                new ReviewView(
                    id, new Reference(random.Next(1, 12), null), new Reference(random.Next(1, 12), null),
                    random.Next(1, 6),
                    null, At(), true, turn),
                ReadModelJson.Wire.ReviewView),
            "users" => Json(
                new UserView(id, $"U{id}@Example.com", "Ann", "Bee", null, At(), null, !Rarely(), 0, 0, turn),
                ReadModelJson.Wire.UserView),
            _ => throw new ArgumentOutOfRangeException(nameof(resource)),
        };
    }

    /// <summary>Writes documents as they are in this turn.</summary>
    public async Task TurnAsync(string resource, IReadOnlyCollection<int> ids, int turn)
    {
        await PutAsync(resource, ids, id => Body(resource, id, turn));
        foreach (var id in ids) living[resource][id] = JsonElement.Parse(Body(resource, id, turn));
    }

    public async Task RemoveAsync(string resource, IReadOnlyCollection<int> ids)
    {
        await DeleteAsync(resource, ids);
        foreach (var id in ids) living[resource].Remove(id);
    }

    protected override async Task SeedAsync()
    {
        foreach (var resource in Documents.Resources)
        {
            living[resource] = [];
            await TurnAsync(resource, [.. Enumerable.Range(1, Count)], turn: 1);
            await RemoveAsync(resource, [.. Enumerable.Range(1, Count).Where(id => id % 10 == 0)]);
        }
    }

    private static byte[] Json<T>(T view, JsonTypeInfo<T> type) => JsonSerializer.SerializeToUtf8Bytes(view, type);
}
