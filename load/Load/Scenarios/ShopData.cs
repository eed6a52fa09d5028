using System.Text.Json;

namespace ApexShop.Load.Scenarios;

/// <summary>A product of the shop.</summary>
internal sealed record KnownProduct(int Id, string Name);

/// <summary>The data that scenarios use, read from the running shop before the load starts.</summary>
internal sealed record ShopData(
    IReadOnlyList<KnownProduct> Products,
    IReadOnlyList<KnownProduct> Sellable,
    IReadOnlyList<int> Categories,
    IReadOnlyList<int> Users,
    int ProductCount)
{
    private const int Most = 5_000;

    // Every iteration sells one or two: a product with little stock would cause conflicts.
    private const int EnoughStock = 20;

    /// <summary>No data, for listing the scenarios.</summary>
    public static ShopData None { get; } = new([], [], [], [], 0);

    public static async Task<ShopData> LoadAsync(ShopApi api, CancellationToken ct)
    {
        var products = await ReadAsync(api, "products", ct);
        var data = new ShopData(
            [.. products.Select(Known)],
            [.. products.Where(one => IsActive(one) && one.Number("stock") >= EnoughStock).Select(Known)],
            [.. products.Select(one => one.Reference("category")).Distinct()],
            [.. (await ReadAsync(api, "users", ct)).Where(IsActive).Select(one => one.Number("id"))],
            (await api.GetAsync("/products/v2?pageSize=1", ct)).Json.Number("totalCount"));
        if (data.Sellable.Count == 0 || data.Users.Count == 0)
            throw new ShopUnusableException("The shop has no product or no user.", "./apexshop seed");
        return data;
    }

    private static bool IsActive(JsonElement document) => document.GetProperty("isActive").GetBoolean();

    private static KnownProduct Known(JsonElement product) =>
        new(product.Number("id"), product.Text("name")!);

    private static async Task<List<JsonElement>> ReadAsync(ShopApi api, string resource, CancellationToken ct)
    {
        using var response = await api.StreamAsync($"/{resource}/stream?limit={Most}", "application/x-ndjson", ct);
        if (!response.IsSuccessStatusCode)
            throw new ShopUnusableException(
                $"GET /{resource}/stream answers {(int)response.StatusCode}.", "./apexshop status");
        var found = new List<JsonElement>();
        using var lines = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
        while (await lines.ReadLineAsync(ct) is { } line) found.Add(JsonElement.Parse(line));
        return found;
    }
}

/// <summary>The shop cannot be used for load; <paramref name="remedy"/> is the command that helps.</summary>
internal sealed class ShopUnusableException(string message, string remedy) : Exception($"{message}\n  {remedy}");
