namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>Makes reviews of one shop: half by buyers, half by any users; at most one per user and product.</summary>
internal sealed class ReviewFaker
{
    private readonly ShopFaker shop;
    private readonly SeedVocabulary words = SeedVocabulary.Shared;
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
        var pair = index % 2 == 0 ? random.Pick(purchases) : AnyPair(random);
        while (!reviewed.Add(pair)) pair = AnyPair(random);
        var isVerified = received.TryGetValue(pair, out var earliest);
        if (!isVerified) earliest = Later(shop.Products[pair.Product].Created, shop.Users[pair.User].Created);
        return new SeedReview(
            pair.Product,
            pair.User,
            Rating(random),
            random.Chance(15) ? null : random.Pick(words.Comments),
            ShopFaker.Between(random, earliest, ShopFaker.Today),
            isVerified);
    }

    private (int Product, int User) AnyPair(Random random) =>
        (random.Next(shop.Products.Length), random.Next(shop.Users.Length));

    private static int Rating(Random random) =>
        random.Next(100) switch { < 42 => 5, < 72 => 4, < 86 => 3, < 94 => 2, _ => 1 };

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;
}
