using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>Valid and invalid values for every filter. A filter without them fails the tests.</summary>
internal static class Samples
{
    private const string Time = "2026-02-01T12:00:00Z";

    private static readonly string[] badTimes =
    [
        "yesterday", "2026-02-30", "2026-02-01T12:00:00", "2026-02-01 12:00:00Z", "01.02.2026",
        "2026-02-01T12:00:00+25:00", "1767225600",
        "2026-02-01T12:00:00.12345678", "2026-02-01T12:00:00.12345678xZ", "2026-02-01.123456789",
        "2026-02-01T12:00.123456789Z",
    ];

    private static readonly string[] badFlags = ["True", "1", "yes", "FALSE", "tru"];
    private static readonly string[] badIds =
        ["0", "-1", "1.5", "one", "2147483648", "%201", "+1", "1,,2", "1,", "1,1", "1,0", ManyIds(21)];
    private static readonly string[] badAmounts =
        ["-1", "1.234", "cheap", "1,5", ".5", "5.", "1e3", "9999999999999999999999999999999", "NaN"];
    private static readonly string[] badStars = ["0", "6", "-1", "4.5", "five"];

    public static IReadOnlyDictionary<string, Values> Of { get; } = new Dictionary<string, Values>
    {
        ["products.categoryId"] = new(["3", "999", "5,3", "999,998", ManyIds(20)], badIds),
        ["products.minPrice"] = new(["50", "99.9", "100000"], badAmounts),
        ["products.maxPrice"] = new(["50.00", "0"], badAmounts),
        ["products.inStock"] = new(["true", "false"], badFlags),
        ["products.isActive"] = new(["true", "false"], badFlags),
        ["products.isFeatured"] = new(["true", "false"], badFlags),
        ["products.modifiedAfter"] = new(
            ["2026-02-01", Time, "2026-02-01T12:00:00.5%2B02:00", "2026-02-01T12:00Z"], badTimes),
        ["products.q"] = new(
            ["chairs", "wooden -chair", "\"wooden table\"", "nothing-like-it", "the"], [new string('x', 201), "a%00b"]),
        ["categories.isActive"] = new(["true", "false"], badFlags),
        ["orders.customerId"] = new(["7", "999", "7,8,999"], badIds),
        ["orders.status"] = new(
            ["Pending", "Delivered", "Pending,Delivered"], ["pending", "Gone", "Pending,Gone", "Pending,Pending"]),
        ["orders.fromDate"] = new(
            ["2026-02-01", Time, "2026-02-01T12:00:00.12345678Z", "2026-02-01T12:00:00.123456789%2B02:00"], badTimes),
        // Not before any fromDate: tests combine them.
        ["orders.toDate"] = new(["2026-02-02", "2026-02-02T12:00:00Z"], badTimes),
        ["orders.minAmount"] = new(["75.5"], badAmounts),
        ["reviews.productId"] = new(["7", "999", "9,7"], badIds),
        ["reviews.userId"] = new(["7", "8,7"], badIds),
        ["reviews.minRating"] = new(["1", "4", "5"], badStars),
        ["users.isActive"] = new(["true", "false"], badFlags),
        ["users.createdAfter"] = new(["2026-02-01", Time], badTimes),
        ["users.email"] = new(
            ["u17@example.com", "U17@Example.COM", "unknown@example.com"], ["unknown", "@example.com", "a%00@b"]),
    };

    /// <summary>Resource, filter and value, for each valid value of each filter.</summary>
    public static TheoryData<string, string, string> Good() => Each(values => values.Good);

    public static TheoryData<string, string, string> Bad() => Each(values => values.Bad);

    private static string ManyIds(int count) => string.Join(',', Enumerable.Range(1, count));

    private static TheoryData<string, string, string> Each(Func<Values, string[]> chosen)
    {
        var data = new TheoryData<string, string, string>();
        foreach (var resource in ReadModel.All)
        {
            foreach (var filter in resource.Filters)
            {
                foreach (var value in chosen(Of[$"{resource.Name}.{filter.Name}"]))
                    data.Add(resource.Name, filter.Name, value);
            }
        }

        return data;
    }

    internal sealed record Values(string[] Good, string[] Bad);
}
