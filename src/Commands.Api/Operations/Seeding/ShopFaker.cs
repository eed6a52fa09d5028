using System.Globalization;
using ApexShop.Events;
using ApexShop.Resources;
using static System.FormattableString;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>
/// Generates the data of one shop of the standard size, the same on every machine. A larger scale consists of several
/// such shops, so that scale 2 after scale 1 only adds the second shop.
/// </summary>
internal sealed class ShopFaker
{
    public const int CategoryCount = 15;
    public const int UserCount = 3_000;
    public const int ProductCount = 15_000;
    public const int OrderCount = 5_000;
    public const int ReviewCount = 12_000;

    /// <summary>"Today" in the generated data; all dates are in the two years before it.</summary>
    public static readonly DateTimeOffset Today = new(2026, 11, 1, 0, 0, 0, TimeSpan.Zero);

    private static readonly TimeSpan span = TimeSpan.FromDays(730);

    private readonly SeedVocabulary words = SeedVocabulary.Shared;
    private readonly int shop;
    private readonly string suffix;

    public ShopFaker(int shop)
    {
        this.shop = shop;
        suffix = shop == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" {shop + 1}");
        Categories = Make(1, CategoryCount, Category);
        Users = Make(2, UserCount, User);
        Products = Make(3, ProductCount, Product);
        Orders = Make(4, OrderCount, new OrderFaker(this).Order);
        var reviews = new ReviewFaker(this);
        Reviews = Make(5, ReviewCount, reviews.Review);
    }

    public SeedCategory[] Categories { get; }
    public SeedUser[] Users { get; }
    public SeedProduct[] Products { get; }
    public SeedOrder[] Orders { get; }
    public SeedReview[] Reviews { get; }

    /// <summary>A random time between two others, in whole seconds.</summary>
    public static DateTimeOffset Between(Random random, DateTimeOffset from, DateTimeOffset to) =>
        from.AddSeconds(random.NextInt64(Math.Max(1, (long)(to - from).TotalSeconds)));

    private T[] Make<T>(int kind, int count, Func<Random, int, T> make)
    {
        // The seed makes the data the same in every run.
        var random = new Random(shop * 10 + kind);
        var rows = new T[count];
        for (var i = 0; i < count; i++) rows[i] = make(random, i);
        return rows;
    }

    private SeedCategory Category(Random random, int index) => new(
        words.Categories[index] + suffix,
        index % 5 == 4 ? null : $"Everything about {words.Categories[index].ToLowerInvariant()}",
        Today - span);

    private SeedUser User(Random random, int index)
    {
        var locale = random.Pick(words.People);
        var (first, last) = (random.Pick(locale.FirstNames), random.Pick(locale.LastNames));
        var created = Between(random, Today - span, Today);
        return new SeedUser(
            string.Create(
                CultureInfo.InvariantCulture, $"{first.Ascii}.{last.Ascii}.{shop * UserCount + index + 1}@example.com"),
            first.Text,
            last.Text,
            random.Chance(20)
                ? null
                : string.Create(CultureInfo.InvariantCulture, $"+420{random.Next(600_000_000, 800_000_000)}"),
            random.Pick(locale.Addresses),
            created,
            random.Chance(15) ? null : Between(random, created, Today),
            !random.Chance(5));
    }

    private SeedProduct Product(Random random, int index)
    {
        // The third power gives many low prices and few high ones.
        var cents = 99 + (int)(Math.Pow(random.NextDouble(), 3) * 200_000);
        var maker = random.Pick(random.Pick(words.People).LastNames);
        var adjective = random.Pick(words.Adjectives);
        var (material, thing) = (random.Pick(words.Materials), random.Pick(words.Things));
        var kind = $"{adjective} {material} {thing}";
        // The number makes both unique, in all shops.
        var number = (shop * ProductCount) + index + 1;
        return new SeedProduct(
            $"{maker.Text} {kind}{suffix}",
            random.Chance(10) ? null : random.Pick(words.Descriptions),
            new decimal(cents, 0, 0, false, 2),
            random.Chance(4) ? 0 : random.Next(1, 500),
            !random.Chance(5),
            random.Chance(3),
            random.Next(CategoryCount),
            Between(random, Today - span, Today),
            Invariant($"{thing[..3]}-{material[..3]}-{number:D5}").ToUpperInvariant(),
            Invariant($"{maker.Ascii}-{adjective}-{material}-{thing}-{number}").ToLowerInvariant(),
            [.. Enumerable.Range(number, number % 3 == 0 ? 2 : 1).Select(place => Picture(place, kind))]);
    }

    private static ProductImageState Picture(int place, string kind) =>
        new(SamplePictures.PathOf(1 + (place * 7 % SamplePictures.Count)), kind, 800, 600);
}

internal static class RandomExtensions
{
    public static T Pick<T>(this Random random, T[] from) => from[random.Next(from.Length)];

    public static bool Chance(this Random random, int percent) => random.Next(100) < percent;
}
