using ApexShop.Prove.Checks;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests;

/// <summary>What the lists of a small shop are, written by hand, is right, and anything else is not.</summary>
public sealed class RestListCheckTests
{
    private static readonly SourceDocument[] documents =
    [
        Product(1, "oak desk", "plain", 10, 0, category: 1, modified: 9, rating: 4.5m, isFeatured: true),
        Product(2, "Oak chair", "", 25.50m, 3, category: 2, modified: 2),
        Product(3, "walnut desk", "not oak", 10, 1, category: 1, modified: 8, rating: 4.5m, isActive: false),
        Product(4, "lamp", "", 99.99m, 0, category: 3, modified: 4, rating: 2, isFeatured: true),
        Of(Kinds.Orders, 1, new() { UserId = 1, Status = "Pending", Amount = 10 }),
        Of(Kinds.Orders, 2, new() { UserId = 2, Status = "Shipped", Amount = 30 }),
        Of(Kinds.Orders, 3, new() { UserId = 1, Status = "Pending", Amount = 30 }),
        Of(Kinds.Reviews, 1, new() { ProductId = 4, UserId = 1, Rating = 5 }),
        Of(Kinds.Reviews, 2, new() { ProductId = 4, UserId = 2, Rating = 2 }),
        Of(Kinds.Reviews, 3, new() { ProductId = 1, UserId = 1, Rating = 5 }),
        Of(Kinds.Users, 1, new() { Name = "Ada@prove.example", IsActive = true }),
        Of(Kinds.Users, 2, new() { Name = "grace@prove.example" }),
        Of(Kinds.Users, 3, new() { Name = "emmy@prove.example", IsActive = true }),
    ];

    [Theory]
    [InlineData("/products/cursor?pageSize=9", 1, 2, 3, 4)]
    [InlineData("/products?sort=price&pageSize=9", 1, 3, 2, 4)]
    [InlineData("/products/v2?sort=-price&pageSize=9", 4, 2, 3, 1)]
    [InlineData("/products/stream?sort=name&limit=9", 2, 4, 1, 3)]
    [InlineData("/products/stream?sort=newest&limit=2", 4, 3)]
    [InlineData("/products/stream?sort=rating", 3, 1, 4, 2)]
    [InlineData("/products/cursor?q=OAK&pageSize=9", 1, 2, 3)]
    [InlineData("/products/cursor?q=oak&sort=relevance&pageSize=9", 2, 1, 3)]
    [InlineData("/products/cursor?q=oak%20desk&pageSize=9", 1, 3)]
    [InlineData("/products/cursor?minPrice=10.00&maxPrice=25.50&pageSize=9", 1, 2, 3)]
    [InlineData("/products/cursor?inStock=true&pageSize=9", 2, 3)]
    [InlineData("/products/cursor?inStock=false&isActive=true&pageSize=9", 1, 4)]
    [InlineData("/products/cursor?isFeatured=false&isActive=false&pageSize=9", 3)]
    [InlineData("/products/cursor?modifiedAfter=2026-11-04T00:00:00Z&pageSize=9", 3, 1)]
    [InlineData("/products/cursor?modifiedAfter=2026-11-04T00:00:00Z&sort=id&pageSize=9", 1, 3)]
    [InlineData("/products/cursor?categoryId=1,3&sort=-price&pageSize=9", 4, 3, 1)]
    [InlineData("/orders/cursor?customerId=1&pageSize=9", 1, 3)]
    [InlineData("/orders/cursor?status=Pending,Shipped&sort=-amount&pageSize=9", 3, 2, 1)]
    [InlineData("/orders/cursor?fromDate=2026-11-02&pageSize=9", 3, 2)]
    [InlineData("/orders/cursor?toDate=2026-11-02T01:00:00%2B01:00&sort=id&pageSize=9", 1, 2)]
    [InlineData("/orders/cursor?minAmount=10.01&pageSize=9", 2, 3)]
    [InlineData("/reviews/cursor?productId=4&sort=newest&pageSize=9", 2, 1)]
    [InlineData("/reviews/cursor?userId=1,2&minRating=3&pageSize=9", 1, 3)]
    [InlineData("/reviews/cursor?sort=-rating&pageSize=9", 3, 1, 2)]
    [InlineData("/products/4/reviews?pageSize=9", 1, 2)]
    [InlineData("/users/cursor?email=aDA@PROVE.example&pageSize=9", 1)]
    [InlineData("/users/cursor?createdAfter=2026-11-01&isActive=true&pageSize=9", 3)]
    [InlineData("/users/cursor?createdAfter=2026-11-01&pageSize=9", 3, 2)]
    public void A_list_is_compared_with_the_documents(string path, params int[] ids)
    {
        WrongIn(path, new ListedPage(1, [.. ids.Select(ListedOf)])).ShouldBeEmpty();
        WrongIn(path, new ListedPage(1, [.. ids.Skip(1).Select(ListedOf)])).ShouldNotBeEmpty();
        WrongIn(path, new ListedPage(1, [.. ids.Append(5).Select(ListedOf)])).ShouldNotBeEmpty();
        if (ids.Length > 1) WrongIn(path, new ListedPage(1, [.. ids.Reverse().Select(ListedOf)])).ShouldNotBeEmpty();
    }

    [Fact]
    public void Pages_have_their_part_and_the_totals_of_the_list()
    {
        const string path = "/products?sort=price&pageSize=3";
        var first = new ListedPage(1, [ListedOf(1), ListedOf(3), ListedOf(2)])
            { HasPrevious = false, HasNext = true, Total = 4, TotalPages = 2 };
        var last = new ListedPage(2, [ListedOf(4)]) { HasPrevious = true, HasNext = false, Total = 4, TotalPages = 2 };

        WrongIn(path, first, last, first).ShouldBeEmpty();

        WrongIn(path, first with { HasPrevious = true }).ShouldHaveSingleItem();
        WrongIn(path, first with { HasNext = false }).ShouldHaveSingleItem();
        WrongIn(path, last with { HasNext = true }).ShouldHaveSingleItem();
        WrongIn(path, last with { Total = 5 }).ShouldHaveSingleItem();
        WrongIn(path, last with { TotalPages = 1 }).ShouldHaveSingleItem();
        WrongIn(path, last with { Number = 1 }).ShouldNotBeEmpty();
    }

    [Fact]
    public void A_document_of_another_text_is_found() =>
        WrongIn("/products/cursor?q=lamp&pageSize=3", new ListedPage(1, [new(4, 4711)]))
            .ShouldHaveSingleItem().ShouldEndWith("pageSize=3 has another text of 4 than its document");

    [Fact]
    public void Facets_count_each_product_once()
    {
        FacetCount[] counts =
        [
            new("categories", 1, 2, 2), new("categories", 2, 3, 1), new("categories", 3, 4, 1),
            new("prices", 10, 25, 2), new("prices", 25, 50, 1), new("prices", 50, null, 1),
            new("ratings", 0, 1, 1), new("ratings", 2, 3, 1), new("ratings", 4, 5, 2),
            new("stock", 0, 1, 2), new("stock", 1, 2, 2),
        ];

        WrongIn(new FacetList("queries", "/products/facets", 4, counts)).ShouldBeEmpty();
        WrongIn(new FacetList("queries", "/products/facets", 5, counts)).ShouldHaveSingleItem();
        WrongIn(new FacetList("queries", "/products/facets", 4, counts[1..])).ShouldHaveSingleItem();
        WrongIn(new FacetList("queries", "/products/facets", 4, [counts[0] with { Count = 3 }, .. counts[1..]]))
            .Count.ShouldBe(2);
        WrongIn(new FacetList("queries", "/products/facets?isActive=true", 3, counts)).ShouldNotBeEmpty();
    }

    private static SourceDocument Product(
        int id, string name, string text, decimal price, int stock, int category, int modified, decimal rating = 0,
        bool isActive = true, bool isFeatured = false) =>
        Of(Kinds.Products, id, new()
        {
            Name = name, Text = text, Amount = price, Stock = stock, CategoryId = category, Modified = Day(modified),
            IsActive = isActive, IsFeatured = isFeatured,
        }) with { AverageRating = rating };

    // The ids are in the order of the creations.
    private static SourceDocument Of(string resource, int id, AggregateState state) =>
        new(resource, id, Digest: id, state with { Created = Day(id) }, AverageRating: 0);

    private static DateTimeOffset Day(int number) => new(2026, 11, number, 0, 0, 0, TimeSpan.Zero);

    private static ListedDocument ListedOf(int id) => new(id, Digest: id);

    private static List<string> WrongIn(string path, params ListedPage[] pages)
    {
        var resource = path.Contains("reviews", StringComparison.Ordinal) ? Kinds.Reviews : path.Split('/', '?')[1];
        return WrongIn(new RestState { Lists = [new("queries", resource, path, pages)] });
    }

    private static List<string> WrongIn(FacetList facets) => WrongIn(new RestState { FacetLists = [facets] });

    private static List<string> WrongIn(RestState rest) =>
    [
        .. RestListCheck.Find(new(
            new RunHeader(1, 1, 1, "none", 0, true, 0), [], [], rest with { Documents = documents })),
    ];
}
