using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on products.</summary>
internal static class ProductPlan
{
    private const string Path = "/" + Kinds.Products;

    public static Request Create(KnownShop shop) => Create(shop, shop.Slug());

    /// <summary>With the slug of another product, which is refused.</summary>
    public static Request CreateAgain(KnownShop shop) => Create(shop, shop.SharedSlug ?? shop.Slug());

    public static Request BulkCreate(KnownShop shop)
    {
        if (Category(shop) is not { } category) return CategoryPlan.Create(shop);
        var items = Enumerable.Range(0, shop.Random.Next(2, 7)).Select(i => Body(shop, category, 10 + i, i)).ToArray();
        return new("products.bulk-create", HttpMethod.Post, $"{Path}/bulk", items)
            { Count = items.Length, IsKeyed = shop.Chance(0.5) };
    }

    public static Request Replace(KnownShop shop)
    {
        if (shop.Any(Kinds.Products) is not { } one || Category(shop) is not { } category) return Create(shop);
        // Another stock needs the version, so a replacement has both or none.
        int? stock = shop.Chance(0.3) ? shop.Random.Next(0, 80) : null;
        var ifMatch = stock is not null ? one.Version : VersionOf(shop, one);
        return new("products.replace", HttpMethod.Put, $"{Path}/{one.Id}", Body(shop, category, stock, slug: one.Slug))
            { IfMatch = ifMatch, Stock = stock, Asked = [one.Id] };
    }

    public static Request Patch(KnownShop shop) => shop.Any(Kinds.Products) is { } one
        ? new("products.patch", HttpMethod.Patch, $"{Path}/{one.Id}", Change(shop))
            { IfMatch = VersionOf(shop, one), Asked = [one.Id], IsKeyed = shop.Chance(0.5) }
        : Create(shop);

    public static Request Stock(KnownShop shop)
    {
        if (shop.Any(Kinds.Products) is not { } one) return Create(shop);
        var change = shop.Random.Next(1, 30);
        var isDelta = shop.Chance(0.7);
        var delta = shop.Chance(0.5) ? change : -change;
        return new("products.stock", HttpMethod.Patch, $"{Path}/{one.Id}/stock",
            isDelta ? new { delta } : (object)new { stock = change })
        {
            IfMatch = VersionOf(shop, one), Asked = [one.Id], IsKeyed = shop.Chance(0.6), Changes = isDelta,
            Delta = isDelta ? delta : null, Stock = isDelta ? null : change,
        };
    }

    public static Request BulkReplace(KnownShop shop)
    {
        if (Category(shop) is not { } category || shop.Several(Kinds.Products, 5) is not { Count: > 0 } some)
            return Create(shop);
        var items = some.Select((one, i) => new
        {
            id = one.Id, name = Name(shop, i), slug = one.Slug, description = "replaced", price = Price(shop),
            categoryId = category, isActive = IsActive(shop), isFeatured = IsFeatured(shop),
            version = shop.Chance(0.2) ? one.Version : (long?)null,
        }).ToArray();
        return new("products.bulk-replace", HttpMethod.Put, $"{Path}/bulk", items)
            { Count = items.Length, Asked = [.. some.Select(one => one.Id)] };
    }

    public static Request BulkStock(KnownShop shop)
    {
        if (shop.Any(Kinds.Categories) is not { } category) return Create(shop);
        int? stock = shop.Chance(0.2) ? shop.Random.Next(20, 60) : null;
        int? delta = stock is null ? shop.Chance(0.2) ? -1 : 1 : null;
        return new("products.bulk-stock", HttpMethod.Patch, $"{Path}/bulk-update-stock",
            stock is null ? new { categoryId = category.Id, delta } : (object)new { categoryId = category.Id, stock })
            { Stock = stock, Delta = delta, IsKeyed = true };
    }

    public static Request Delete(KnownShop shop) => shop.Own(Kinds.Products) is { } one
        ? new("products.delete", HttpMethod.Delete, $"{Path}/{one.Id}")
            { Asked = [one.Id], IfMatch = VersionOf(shop, one) }
        : Create(shop);

    public static Request BulkDelete(KnownShop shop) => CommonPlan.BulkDelete(shop, Kinds.Products) ?? Create(shop);

    /// <summary>Mostly none, sometimes the version that the client knows, sometimes one before it.</summary>
    public static long? VersionOf(KnownShop shop, KnownAggregate one) => shop.Random.Next(10) switch
    {
        < 6 => null,
        < 9 => one.Version,
        _ => Math.Max(1, one.Version - 1),
    };

    private static Request Create(KnownShop shop, string slug) => Category(shop) is { } category
        ? new(
            "products.create", HttpMethod.Post, Path, Body(shop, category, shop.Random.Next(5, 60), slug: slug))
            { IsKeyed = shop.Chance(0.5), Slug = slug }
        : CategoryPlan.Create(shop);

    private static int? Category(KnownShop shop) => shop.Any(Kinds.Categories)?.Id;

    private static decimal Price(KnownShop shop) => shop.Random.Next(1, 100_000) / 100m;

    private static string Name(KnownShop shop, int item) => $"{shop.Mark(item)} {shop.Word()}";

    // A replacement without a stock keeps it, one without a slug removes it.
    private static object Body(KnownShop shop, int? categoryId, int? stock, int item = 0, string? slug = null)
    {
        var (name, price) = (Name(shop, item), Price(shop));
        var (isActive, isFeatured) = (IsActive(shop), IsFeatured(shop));
        return stock is null
            ? new { name, slug, description = "kept", price, categoryId, isActive, isFeatured }
            : new { name, slug, description = "new", price, stock, categoryId, isActive, isFeatured };
    }

    // The description is another one each time, so that there is a change.
    private static object Change(KnownShop shop) => shop.Random.Next(4) switch
    {
        0 => new { description = shop.Mark(), isActive = IsActive(shop) },
        1 => new { description = shop.Mark(), isFeatured = IsFeatured(shop) },
        _ => new { description = shop.Mark() },
    };

    // Most can be ordered.
    private static bool IsActive(KnownShop shop) => shop.Chance(0.85);

    private static bool IsFeatured(KnownShop shop) => shop.Chance(0.3);
}
