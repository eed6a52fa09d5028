namespace ApexShop.Commands.Api.Admin;

/// <summary>Reviews of one shop: half of buyers, half of anybody; one by a user for a product.</summary>
internal sealed class ReviewFaker
{
    private readonly ShopFaker shop;
    private readonly SeedWords words = SeedWords.Shared;
    private readonly Dictionary<(int Product, int User), DateTimeOffset> received = [];
    private readonly (int Product, int User)[] purchases;
    private readonly HashSet<(int Product, int User)> reviewed = [];

    public ReviewFaker(ShopFaker shop)
    {
        this.shop = shop;
        foreach (var order in shop.Orders)
        {
            if (order.Delivered is not { } delivered) continue;
            foreach (var item in order.Items) received.TryAdd((item.Product, order.User), delivered);
        }

        purchases = [.. received.Keys];
    }

    public SeedReview Review(Random random, int index)
    {
        var pair = index % 2 == 0 ? random.Pick(purchases) : Anybody(random);
        while (!reviewed.Add(pair)) pair = Anybody(random);
        var verified = received.TryGetValue(pair, out var earliest);
        if (!verified) earliest = Later(shop.Products[pair.Product].Created, shop.Users[pair.User].Created);
        return new SeedReview(
            pair.Product,
            pair.User,
            Rating(random),
            random.Chance(15) ? null : random.Pick(words.Comments),
            ShopFaker.Between(random, earliest, ShopFaker.Today),
            verified);
    }

    private (int Product, int User) Anybody(Random random) => (random.Next(shop.Products.Length), random.Next(shop.Users.Length));

    private static int Rating(Random random) => random.Next(100) switch { < 42 => 5, < 72 => 4, < 86 => 3, < 94 => 2, _ => 1 };

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;
}
