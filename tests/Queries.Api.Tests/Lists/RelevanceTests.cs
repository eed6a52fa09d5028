using System.Net;
using System.Text.Json.Nodes;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>Searches by the beginning of a word, and the order of relevance.</summary>
public sealed class RelevanceTests(RelevanceTests.Shop shop) : IClassFixture<RelevanceTests.Shop>
{
    private static readonly (int Id, string Name, string? Description)[] products =
    [
        (1, "Desk", "A walnut lamp stands on it"),
        (2, "Walnut lamp", "For the desk"),
        (3, "Lamp", null),
        (4, "Chair", "Antique, from an old house"),
        (5, "Lampshade", "Paper"),
        (6, "Walnut desk lamp", "A lamp for desks"),
        (7, "Walnut lamp", "For the desk"),
        (8, "Lighting of a T-shirt by O'Neill", null),
        (9, "Headphones WH-1000", null),
        (10, "Black/White sneakers", "Of HDMI/USB-C and.Bluetooth"),
        (11, "Case for a Phone-12", "Rated 0.5, v2.0"),
        (12, "Case for a Phone 12", "Freezer to -20 degrees"),
        (13, "All-in-one, do-it-yourself, wall-to-wall", null),
    ];

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() => PutAsync(
            "products",
            [.. products.Select(product => product.Id)],
            id =>
            {
                var body = JsonNode.Parse(Documents.Body("products", id))!;
                var (_, name, description) = products[id - 1];
                (body["name"], body["description"]) = (name, description);
                return System.Text.Encoding.UTF8.GetBytes(body.ToJsonString());
            });
    }

    [Theory]
    [InlineData("lam*", new[] { 1, 2, 3, 5, 6, 7 })]
    [InlineData("walnut des*", new[] { 1, 2, 6, 7 })]
    [InlineData("lamps*", new[] { 1, 2, 3, 5, 6, 7 })]
    [InlineData("an*", new[] { 4 })]
    [InlineData("desk -walnut*", new int[0])]
    [InlineData("zzz*", new int[0])]
    [InlineData("*", new int[0])]
    [InlineData("lam**", new int[0])]
    [InlineData("\"desk lam*", new[] { 6 })]
    [InlineData("WH-1000*", new[] { 9 })]
    [InlineData("WH-10*", new[] { 9 })]
    [InlineData("headphones wh*", new[] { 9 })]
    [InlineData("black/whi*", new[] { 10 })]
    [InlineData("hdmi/usb-*", new[] { 10 })]
    [InlineData("phone-1*", new[] { 11, 12 })]
    [InlineData("case -black/whi*", new[] { 11, 12 })]
    public Task A_last_word_with_a_star_is_the_beginning_of_a_word(string question, int[] found) =>
        ShouldFindAsync(question, found);

    [Theory]
    [InlineData("ligh*")]
    [InlineData("lighti*")]
    [InlineData("lightin*")]
    [InlineData("lighting*")]
    [InlineData("lighting")]
    [InlineData("lighting t-shi*")]
    [InlineData("O'Ne*")]
    [InlineData("O’Ne*")]
    [InlineData("lighting -oak*")]
    [InlineData("zebra or t-shi*")]
    [InlineData("\"t-shi*")]
    public Task A_word_of_a_name_is_found_at_each_letter_that_is_typed(string question) =>
        ShouldFindAsync(question, [8]);

    [Theory]
    [InlineData("All-in-one")]
    [InlineData("do-it-yourself")]
    [InlineData("wall-to-wall")]
    [InlineData("all-in-one wall-to-wall")]
    public async Task A_word_with_several_dashes_is_found_at_each_letter_that_is_typed(string word)
    {
        await ShouldFindAsync(word, [13]);
        for (var length = 1; length <= word.Length; length++)
            (await FoundAsync($"{word[..length]}*")).ShouldContain(13, word[..length]);
    }

    [Theory]
    [InlineData("white", new[] { 10 })]
    [InlineData("black", new[] { 10 })]
    [InlineData("white/black", new[] { 10 })]
    [InlineData("sneakers usb-c", new[] { 10 })]
    [InlineData("hdmi/usb", new[] { 10 })]
    [InlineData("\"black/white\"", new[] { 10 })]
    [InlineData("\"white/black\"", new int[0])]
    [InlineData("bluetooth", new[] { 10 })]
    [InlineData("phone 12", new[] { 11, 12 })]
    [InlineData("phone-12", new[] { 11, 12 })]
    [InlineData("1000", new[] { 9 })]
    [InlineData("WH-1000", new[] { 9 })]
    [InlineData("0.5", new[] { 11 })]
    [InlineData("v2.0", new[] { 11 })]
    [InlineData("sneakers and/or case", new[] { 10, 11, 12 })]
    public Task Words_with_a_sign_between_them_are_found_one_by_one(string question, int[] found) =>
        ShouldFindAsync(question, found);

    [Theory]
    [InlineData("walnut or lighting", new[] { 1, 2, 6, 7, 8 })]
    [InlineData("walnut or ligh*", new[] { 1, 2, 6, 7, 8 })]
    [InlineData("lighting or walnut des*", new[] { 1, 2, 6, 7, 8 })]
    public Task Or_between_two_words_finds_either(string question, int[] found) => ShouldFindAsync(question, found);

    [Theory]
    [InlineData("Walnut - lamp", new[] { 1, 2, 6, 7 })]
    [InlineData("Walnut -- lamp -", new[] { 1, 2, 6, 7 })]
    [InlineData("walnut - des*", new[] { 1, 2, 6, 7 })]
    [InlineData("lamp -walnut", new[] { 3 })]
    [InlineData("lamp -\"walnut desk\"", new[] { 1, 2, 3, 7 })]
    [InlineData("case -20", new[] { 11, 12 })]
    [InlineData("phone -12", new int[0])]
    [InlineData("phone -0.5", new[] { 12 })]
    [InlineData("black -white/black", new[] { 10 })]
    [InlineData("sneakers -black/white", new int[0])]
    [InlineData("case -wh-1000", new[] { 11, 12 })]
    [InlineData("sneakers/-white", new int[0])]
    public Task A_dash_excludes_a_word_only_if_the_word_follows_it_directly(string question, int[] found) =>
        ShouldFindAsync(question, found);

    [Theory]
    [InlineData("-", "")]
    [InlineData("- ", "lamp")]
    [InlineData("-(", "lamp")]
    [InlineData("-\"", "")]
    [InlineData("-*", "lam*")]
    [InlineData("/", "")]
    [InlineData(".", "lam*")]
    [InlineData("-/", "")]
    [InlineData("/-", "a/*")]
    [InlineData("a/", "-*")]
    [InlineData("-a/b ", "c-1*")]
    [InlineData("or/", "or")]
    [InlineData("\"/", "a.b@c.de")]
    [InlineData("http://a.b/", "?c=-1*")]
    [InlineData("1,5.", "*")]
    [InlineData("'-", "\\*")]
    public async Task A_question_of_many_signs_is_no_error(string repeated, string end)
    {
        var question = string.Concat(Enumerable.Repeat(repeated, 160 / repeated.Length)) + end;
        foreach (var path in (string[])["cursor", "v2", "facets", "stream"])
        {
            using var response = await shop.Http.GetAsync($"products/{path}?q={Uri.EscapeDataString(question)}");
            response.StatusCode.ShouldBe(HttpStatusCode.OK, path);
        }
    }

    [Fact]
    public async Task A_word_in_the_name_counts_more_than_one_in_the_description()
    {
        var ids = await ForwardsAsync("&q=lamp&sort=relevance", 10);
        ids.Count.ShouldBe(5);
        ids[0].ShouldBe(6);
        ids[^1].ShouldBe(1);
    }

    [Theory]
    [InlineData("lam*")]
    [InlineData("walnut")]
    [InlineData("desk lamp")]
    public async Task Every_page_size_and_direction_has_the_same_order(string question)
    {
        var query = $"&sort=relevance&q={Uri.EscapeDataString(question)}";
        var all = await ForwardsAsync(query, 10);
        var client = new ListClient(shop.Http, "products", query);
        (await client.ForwardsAsync(1)).ShouldBe(all);
        (await client.BackwardsAsync(2)).ShouldBe(all);
        (await client.NumberedAsync("/v2", 2)).ShouldBe(all);
        all.ShouldBe(await ForwardsAsync($"{query}&minPrice=0", 10));
    }

    [Theory]
    [InlineData("sort=relevance", "sort")]
    [InlineData("sort=relevance&categoryId=3", "sort")]
    [InlineData("sort=relevance&q=lamp&afterId=2", "afterId")]
    public async Task It_needs_a_question_and_has_no_position_of_an_id(string query, string named)
    {
        using var response = await shop.Http.GetAsync($"products/cursor?{query}");
        (await response.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe([named]);
    }

    private async Task ShouldFindAsync(string question, int[] found) =>
        (await FoundAsync(question)).ShouldBe(found);

    private async Task<IEnumerable<int>> FoundAsync(string question)
    {
        var page = await shop.Http.JsonAsync($"products/cursor?pageSize=20&q={Uri.EscapeDataString(question)}");
        return Documents.Ids(page.GetProperty("data"));
    }

    private Task<List<int>> ForwardsAsync(string query, int pageSize) =>
        new ListClient(shop.Http, "products", query).ForwardsAsync(pageSize);
}
