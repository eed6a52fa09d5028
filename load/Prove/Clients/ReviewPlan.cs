using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on reviews.</summary>
internal static class ReviewPlan
{
    public static Request Create(KnownShop shop) =>
        shop.Any(Kinds.Users) is { } user ? Create(shop, user.Id) : UserPlan.Create(shop);

    public static Request Create(KnownShop shop, int userId) => shop.Any(Kinds.Products) is { } product
        ? Create(shop, userId, product)
        : ProductPlan.Create(shop);

    public static Request Create(KnownShop shop, int userId, KnownAggregate product) =>
        new("reviews.create", HttpMethod.Post, "/reviews", New(shop, product, userId))
            { IsKeyed = shop.Chance(0.5), Parent = product.Id };

    /// <summary>Another comment.</summary>
    public static Request Rewrite(KnownShop shop, KnownAggregate one) =>
        new("reviews.patch", HttpMethod.Patch, $"/reviews/{one.Id}", new { comment = shop.Mark() })
            { Asked = [one.Id] };

    public static Request BulkCreate(KnownShop shop)
    {
        var products = shop.Several(Kinds.Products, 3);
        if (products.Count == 0 || shop.Own(Kinds.Users) is not { } user) return Create(shop);
        var items = products.Select(product => New(shop, product, user.Id)).ToArray();
        return new("reviews.bulk-create", HttpMethod.Post, "/reviews/bulk", items)
            { Count = items.Length, IsKeyed = shop.Chance(0.5) };
    }

    public static Request Replace(KnownShop shop) =>
        CommonPlan.Replace(shop, Kinds.Reviews, new { rating = Rating(shop), comment = shop.Mark() })
        ?? Create(shop);

    public static Request Patch(KnownShop shop) =>
        CommonPlan.Patch(shop, Kinds.Reviews, new { comment = shop.Mark() }) ?? Create(shop);

    public static Request BulkReplace(KnownShop shop) => CommonPlan.BulkReplace(
        shop, Kinds.Reviews, (one, i) => new { id = one.Id, rating = Rating(shop), comment = shop.Mark(i) })
        ?? Create(shop);

    public static Request Delete(KnownShop shop) => CommonPlan.Delete(shop, Kinds.Reviews) ?? Create(shop);

    public static Request BulkDelete(KnownShop shop) =>
        CommonPlan.BulkDelete(shop, Kinds.Reviews) ?? Create(shop);

    /// <summary>Mostly of a product that all clients use: some of its reviews are old.</summary>
    public static Request DeleteOld(KnownShop shop)
    {
        if (shop.Any(Kinds.Products) is not { } product) return Create(shop);
        if (shop.Chance(0.7)) product = shop.Of(Kinds.Products).FirstOrDefault(one => one.IsShared, product);
        return new(
            "reviews.delete-old", HttpMethod.Delete,
            $"/reviews/product/{product.Id}/bulk-delete-old?olderThanDays={shop.Age()}");
    }

    private static int Rating(KnownShop shop) => shop.Random.Next(1, 6);

    private static object New(KnownShop shop, KnownAggregate product, int userId) =>
        new { productId = product.Id, userId, rating = Rating(shop), comment = shop.Mark() };
}
