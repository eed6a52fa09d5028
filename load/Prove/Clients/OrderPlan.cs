using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Commands on orders.</summary>
internal static class OrderPlan
{
    private static readonly string[] statuses = ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];

    public static Request Create(KnownShop shop) =>
        shop.Any(Kinds.Users) is { } user ? Create(shop, user.Id) : UserPlan.Create(shop);

    public static Request Create(KnownShop shop, int userId)
    {
        var products = shop.Several(Kinds.Products, shop.Random.Next(1, 4));
        if (products.Count == 0) return ProductPlan.Create(shop);
        var items = products.Select(one => new { productId = one.Id, quantity = shop.Random.Next(1, 5) }).ToArray();
        return new("orders.create", HttpMethod.Post, "/orders",
            new { userId, shippingAddress = shop.Mark(), items }) { IsKeyed = shop.Chance(0.6), Parent = userId };
    }

    /// <summary>A new address makes it a change in any case, unless the order is closed, which is refused.</summary>
    public static Request Replace(KnownShop shop)
    {
        if (shop.Any(Kinds.Orders) is not { } one) return Create(shop);
        var status = Next(shop, one);
        return new("orders.replace", HttpMethod.Put, $"/orders/{one.Id}",
            new
            {
                status, shippingAddress = shop.Mark(),
                trackingNumber = shop.Chance(0.3) ? null : $"T{shop.Random.Next(100_000)}",
            })
            { Asked = [one.Id], IfMatch = ProductPlan.VersionOf(shop, one), Status = status };
    }

    /// <summary>The status alone, which the order may have already.</summary>
    public static Request Patch(KnownShop shop)
    {
        if (shop.Any(Kinds.Orders) is not { } one) return Create(shop);
        return Patch(shop, one, Next(shop, one));
    }

    /// <summary>The next step to its end.</summary>
    public static Request Close(KnownShop shop, KnownAggregate order) =>
        Patch(shop, order, order.Status == "Shipped" ? "Delivered" : "Cancelled");

    private static Request Patch(KnownShop shop, KnownAggregate one, string status) =>
        Move(shop, one, status) with { IfMatch = ProductPlan.VersionOf(shop, one) };

    /// <summary>Whatever its version is.</summary>
    public static Request Move(KnownShop shop, KnownAggregate one, string status) =>
        new("orders.patch", HttpMethod.Patch, $"/orders/{one.Id}", new { status })
            { Asked = [one.Id], IsKeyed = shop.Chance(0.6), Changes = false, Status = status };

    public static Request Delete(KnownShop shop) => CommonPlan.Delete(shop, Kinds.Orders) ?? Create(shop);

    public static Request DeleteOld(KnownShop shop) =>
        new("orders.delete-old", HttpMethod.Delete, $"/orders/bulk-delete-old?olderThanDays={shop.Age()}");

    public static string AnyStatus(KnownShop shop) => statuses[shop.Random.Next(statuses.Length)];

    private static string Next(KnownShop shop, KnownAggregate one)
    {
        if (shop.Chance(0.15)) return AnyStatus(shop);
        if (one.Status is "Pending" or "Processing" && shop.Chance(0.3)) return "Cancelled";
        return statuses[Math.Min(3, Math.Abs(Array.IndexOf(statuses, one.Status) + 1))];
    }
}
