using System.Globalization;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;

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
        var history = Progress(random, placed);
        var tracking = Array.Exists(history, change => change.Status == "Shipped") ? TrackingNumber(random) : null;
        return new SeedOrder(user, shop.Users[user].Address, tracking, items, history);
    }

    private SeedItem[] Items(Random random, int count)
    {
        var items = new SeedItem[count];
        for (var i = 0; i < count; i++)
        {
            var product = random.Pick(active);
            // An order contains a product only once.
            while (Array.Exists(items, item => item?.Product == product)) product = random.Pick(active);
            items[i] = new SeedItem(
                product, shop.Products[product].Name, random.Next(1, 6), shop.Products[product].Price);
        }

        return items;
    }

    // The status follows from the dates and "today", so that status and dates never contradict each other.
    private static OrderStatusState[] Progress(Random random, DateTimeOffset placed)
    {
        var shipped = placed.AddSeconds(random.Next(12 * 3600, 72 * 3600));
        var delivered = shipped.AddSeconds(random.Next(24 * 3600, 120 * 3600));
        if (random.Chance(8)) return [Change("Pending", placed), Change("Cancelled", placed.AddHours(1))];
        OrderStatusState[] all =
        [
            Change("Pending", placed),
            Change("Processing", placed.AddHours(6)),
            Change("Shipped", shipped),
            Change("Delivered", delivered),
        ];
        return [.. all.TakeWhile((change, index) => index == 0 || change.Time <= ShopFaker.Today)];
    }

    private static OrderStatusState Change(string status, DateTimeOffset time) =>
        new(status, time, Actor.ProcessKind);

    private static string TrackingNumber(Random random) =>
        string.Create(CultureInfo.InvariantCulture, $"AX{random.NextInt64(1_000_000_000, 10_000_000_000)}");
}
