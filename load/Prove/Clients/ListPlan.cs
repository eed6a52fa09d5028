using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads of lists: with filters and sorts, by numbers, by words, of changes.</summary>
internal static class ListPlan
{
    private static readonly int[] sizes = [3, 10, 50];

    /// <summary>The sorts of each resource, but that by relevance, which a search alone has.</summary>
    public static IReadOnlyDictionary<string, string[]> Sorts { get; } = new Dictionary<string, string[]>
    {
        [Kinds.Products] = ["id", "price", "-price", "name", "newest", "rating"],
        [Kinds.Categories] = ["id", "name"],
        [Kinds.Orders] = ["id", "newest", "-amount"],
        [Kinds.Reviews] = ["id", "newest", "-rating"],
        [Kinds.Users] = ["id", "newest"],
    };

    /// <summary>
    /// The page that begins with the aggregate, of a list that has it as long as it exists: what its filter is by never
    /// changes, or is always met. Null without such a filter.
    /// </summary>
    public static Request? Filtered(KnownShop shop, KnownAggregate one)
    {
        var page = $"sort=id&pageSize=5&afterId={one.Id - 1}";
        if (one.Resource == Kinds.Reviews && one.Parent is { } product && shop.Chance(0.5))
            return new("reviews.of-product", HttpMethod.Get, $"/products/{product}/reviews?{page}")
                { Asked = [one.Id] };
        var filter = one.Resource switch
        {
            Kinds.Products => "minPrice=0",
            Kinds.Categories => "isActive=true",
            Kinds.Users => "createdAfter=2020-01-01",
            Kinds.Orders when one.Parent is { } customer => $"customerId={customer}",
            Kinds.Reviews when one.Parent is { } reviewed => $"productId={reviewed}",
            _ => null,
        };
        return filter is null
            ? null
            : new($"{one.Resource}.filtered", HttpMethod.Get, $"/{one.Resource}/cursor?{filter}&{page}")
                { Asked = [one.Id] };
    }

    /// <summary>A page by its number, of the second or the first version, mostly with a filter and a sort.</summary>
    public static Request Numbered(KnownShop shop, string resource)
    {
        var path = shop.Chance(0.5) ? $"/{resource}/v2" : $"/{resource}";
        path += $"?page={shop.Random.Next(1, 4)}&pageSize={One(shop, sizes)}";
        if (shop.Chance(0.6)) path += $"&{FilterOf(shop, resource)}";
        if (shop.Chance(0.6)) path += $"&sort={One(shop, Sorts[resource])}";
        return new($"{resource}.numbered", HttpMethod.Get, path);
    }

    public static Request Search(KnownShop shop)
    {
        var path = $"/products/cursor?q={shop.Word()}&pageSize={One(shop, sizes)}";
        if (shop.Chance(0.7)) path += $"&sort={One(shop, ["relevance", .. Sorts[Kinds.Products]])}";
        if (shop.Chance(0.3)) path += $"&{FilterOf(shop, Kinds.Products)}";
        return new("products.search", HttpMethod.Get, path);
    }

    public static Request Facets(KnownShop shop)
    {
        var filter = shop.Chance(0.7) ? $"?{FilterOf(shop, Kinds.Products)}" : "";
        return new("products.facets", HttpMethod.Get, $"/products/facets{filter}");
    }

    /// <summary>The beginning of a word, with a word before it or without.</summary>
    public static Request Suggest(KnownShop shop)
    {
        var typed = shop.Word()[..shop.Random.Next(2, 5)];
        if (shop.Chance(0.3)) typed = $"{shop.Word()}%20{typed}";
        return new("products.suggest", HttpMethod.Get, $"/products/suggest?q={typed}");
    }

    public static Request Changes(KnownShop shop, string resource)
    {
        var after = shop.Cursors.TryGetValue(resource, out var cursor) ? $"&after={Uri.EscapeDataString(cursor)}" : "";
        return new(
            $"{resource}.changes", HttpMethod.Get,
            $"/{resource}/changes?pageSize={(shop.Chance(0.2) ? 10 : 100)}{after}");
    }

    private static string FilterOf(KnownShop shop, string resource)
    {
        var amount = shop.Random.Next(1, 1000);
        string?[] filters = resource switch
        {
            Kinds.Products =>
                [IdOf(shop, Kinds.Categories, "categoryId"), $"minPrice={amount}", $"maxPrice={amount}", "inStock=true",
                    "inStock=false", "isActive=true", "isActive=false", "isFeatured=true", "isFeatured=false"],
            Kinds.Categories => ["isActive=true"],
            Kinds.Orders =>
                [IdOf(shop, Kinds.Users, "customerId"), $"status={OrderPlan.AnyStatus(shop)}", $"minAmount={amount}"],
            Kinds.Reviews =>
                [IdOf(shop, Kinds.Products, "productId"), IdOf(shop, Kinds.Users, "userId"),
                    $"minRating={shop.Random.Next(1, 6)}"],
            _ => ["isActive=true", "isActive=false"],
        };
        return One(shop, [.. filters.OfType<string>()]);
    }

    private static string? IdOf(KnownShop shop, string resource, string filter) =>
        shop.Any(resource) is { } one ? $"{filter}={one.Id}" : null;

    private static T One<T>(KnownShop shop, IReadOnlyList<T> all) => all[shop.Random.Next(all.Count)];
}
