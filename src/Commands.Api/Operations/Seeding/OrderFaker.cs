using System.Globalization;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>Makes orders of one shop's users for its products, with 1 to 4 items each (2.5 on average).</summary>
internal sealed class OrderFaker(ShopFaker shop)
{
    private readonly int[] active =
        [.. Enumerable.Range(0, shop.Products.Length).Where(product => shop.Products[product].IsActive)];

    public SeedOrder Order(Random random, int index)
    {
        var user = random.Next(shop.Users.Length);
        var items = Items(random, 1 + index % 4);
        var possible = items.Select(item => shop.Products[item.Product].Created).Append(shop.Users[user].Created).Max();
        var placed = ShopFaker.Between(random, possible, ShopFaker.Today);
        var (status, shipped, delivered) = Progress(random, placed);
        return new SeedOrder(
            user,
            placed,
            status,
            shop.Users[user].Address,
            shipped is null ? null : TrackingNumber(random),
            shipped,
            delivered,
            items);
    }

    private SeedItem[] Items(Random random, int count)
    {
        var items = new SeedItem[count];
        for (var i = 0; i < count; i++)
        {
            var product = random.Pick(active);
            // An order contains a product only once.
            while (Array.Exists(items, item => item?.Product == product)) product = random.Pick(active);
            items[i] = new SeedItem(product, random.Next(1, 6), shop.Products[product].Price);
        }

        return items;
    }

    // The status follows from the dates and "today", so that status and dates never contradict each other.
    private static (string Status, DateTimeOffset? Shipped, DateTimeOffset? Delivered) Progress(
        Random random, DateTimeOffset placed)
    {
        var shipped = placed.AddSeconds(random.Next(12 * 3600, 72 * 3600));
        var delivered = shipped.AddSeconds(random.Next(24 * 3600, 120 * 3600));
        if (random.Chance(8)) return ("Cancelled", null, null);
        if (delivered <= ShopFaker.Today) return ("Delivered", shipped, delivered);
        if (shipped <= ShopFaker.Today) return ("Shipped", shipped, null);
        return (placed.AddHours(6) <= ShopFaker.Today ? "Processing" : "Pending", null, null);
    }

    private static string TrackingNumber(Random random) =>
        string.Create(CultureInfo.InvariantCulture, $"AX{random.NextInt64(1_000_000_000, 10_000_000_000)}");
}
