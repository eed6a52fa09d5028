using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Consistency;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>The texts that complete what a client types.</summary>
public sealed class SuggestionTests(SuggestionTests.Shop shop) : IClassFixture<SuggestionTests.Shop>
{
    private static readonly (string Name, string? Description, bool IsActive)[] products =
    [
        ("Walnut desk", null, true),
        ("Walnut desk", "Sturdy", true),
        ("Walnut Desk/Lamp", null, true),
        ("Oak desk", null, true),
        ("Oak table", "For the dessert", true),
        ("Dessert spoon 4000", "Of walnut", true),
        ("Desktop the third", null, true),
        ("Design lamp", null, false),
        ("Ärmel of wool", null, true),
        ("O'Neil's 'n' \\chair\\", null, true),
        ("All-in-one T-shirt, in-ear", "Of cotton, up to date", true),
    ];

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() =>
            PutAsync("products", [.. Enumerable.Range(1, products.Length)], Product);

        private static byte[] Product(int id)
        {
            var (name, description, isActive) = products[id - 1];
            return Named(id, name, description, isActive);
        }
    }

    [Theory]
    [InlineData("des", "desk", "desktop", "dessert")]
    [InlineData("DESK", "desk", "desktop")]
    [InlineData("desk ", "desk", "desktop")]
    [InlineData("ärm", "ärmel")]
    [InlineData("wo", "wool")]
    [InlineData("\\cha", "chair")]
    public async Task A_beginning_is_completed_by_the_words_of_the_most_products(string typed, params string[] texts) =>
        (await SuggestAsync(typed)).ShouldBe(texts);

    [Theory]
    [InlineData("t-", "t-shirt")]
    [InlineData("T-Shi", "t-shirt")]
    [InlineData("in-e", "in-ear")]
    [InlineData("all-in", "all-in-one")]
    [InlineData("all-in-one ", "all-in-one")]
    [InlineData("cotton t-shi", "cotton t-shirt")]
    [InlineData("t-shirt all-i", "t shirt all-in-one")]
    public async Task The_beginning_of_a_word_with_dashes_is_completed_by_the_whole_word(string typed, string text)
    {
        (await SuggestAsync(typed)).ShouldBe([text]);
        (await FoundAsync(text)).ShouldBe(1);
    }

    [Theory]
    [InlineData("the")]
    [InlineData("design")]
    [InlineData("400")]
    [InlineData("sturdy")]
    [InlineData("zzz")]
    [InlineData("!?")]
    [InlineData("a b c d e f g h desk")]
    public async Task Words_of_no_name_of_an_active_product_are_not_suggested(string typed) =>
        (await SuggestAsync(typed)).ShouldBeEmpty();

    [Theory]
    [InlineData("wallnut", "walnut")]
    [InlineData("wanut", "walnut")]
    [InlineData("walmut", "walnut")]
    [InlineData("wlanut", "walnut")]
    [InlineData("xalnu", "walnut")]
    [InlineData("dexkt", "desktop")]
    public async Task One_typing_error_is_corrected(string typed, string text) =>
        (await SuggestAsync(typed)).ShouldBe([text]);

    [Theory]
    [InlineData("walnu7x")]
    [InlineData("tbl")]
    public async Task Two_errors_or_one_in_a_short_word_are_not(string typed) =>
        (await SuggestAsync(typed)).ShouldBeEmpty();

    [Theory]
    [InlineData("walnut des", "walnut desk", "walnut dessert")]
    [InlineData("oak des", "oak desk")]
    [InlineData("sturdy walnut de", "sturdy walnut desk")]
    [InlineData("wallnut desk", "walnut desk")]
    [InlineData("walnut dexk", "walnut desk")]
    [InlineData("the oak ta", "the oak table")]
    [InlineData("oak spo")]
    [InlineData("oak' | walnut:* & ! ta")]
    public async Task Several_words_are_suggested_when_a_product_has_them_all(string typed, params string[] texts)
    {
        (await SuggestAsync(typed)).ShouldBe(texts);
        foreach (var text in texts) (await FoundAsync(text)).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_renamed_and_a_deleted_product_s_words_follow_with_its_token()
    {
        await shop.PutAsync("products", [50], id => Named(id, "Gramophone", null, true));
        (await FreshAsync("gram")).ShouldBe(["gramophone"]);
        await shop.PutAsync("products", [50], id => Named(id, "Telescope", null, true));
        (await FreshAsync("gram")).ShouldBeEmpty();
        (await FreshAsync("tele")).ShouldBe(["telescope"]);
        await shop.DeleteAsync("products", [50]);
        (await FreshAsync("tele")).ShouldBeEmpty();
    }

    [Fact]
    public async Task A_transaction_that_began_before_the_last_read_and_ended_after_it_is_not_missed()
    {
        const string Add = "INSERT INTO read.name_word_counts (word, products) VALUES ($1, 1)";
        await using var early = new NpgsqlConnection(shop.Database.Projector);
        await early.OpenAsync();
        await using var transaction = await early.BeginTransactionAsync();
        await using var add = new NpgsqlCommand(Add, early) { Parameters = { new() { Value = "quicksilver" } } };
        await add.ExecuteNonQueryAsync();

        await shop.ExecuteAsync(Add, "quartz");
        (await FreshAsync("qu")).ShouldBe(["quartz"]);
        await transaction.CommitAsync();
        (await FreshAsync("qu")).ShouldBe(["quartz", "quicksilver"], ignoreOrder: true);
        await shop.ExecuteAsync("DELETE FROM read.name_word_counts WHERE word LIKE 'qu%'");
    }

    [Fact]
    public async Task The_words_of_a_rebuild_replace_all_others()
    {
        await shop.ExecuteAsync("INSERT INTO read.name_word_counts (word, products) VALUES ('xylophone', 1)");
        (await FreshAsync("xyl")).ShouldBe(["xylophone"]);
        await shop.ExecuteAsync("""
            DELETE FROM read.name_word_counts WHERE word = 'xylophone';
            UPDATE read.projection_state SET epoch = epoch + 1
            """);
        (await FreshAsync("xyl")).ShouldBeEmpty();
        (await FreshAsync("waln")).ShouldBe(["walnut"]);
    }

    [Theory]
    [InlineData("products/suggest")]
    [InlineData("products/suggest?q=")]
    [InlineData("products/suggest?q=a&q=b")]
    [InlineData("products/suggest?q=a&limit=3")]
    [InlineData("products/suggest?q=%00")]
    public async Task Anything_but_one_text_is_refused(string path)
    {
        using var response = await shop.Http.GetAsync(path);
        response.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
        (await response.Content.ReadAsStringAsync()).ShouldContain("query.invalid");
    }

    [Fact]
    public async Task A_text_that_is_too_long_is_refused()
    {
        using var response = await shop.Http.GetAsync($"products/suggest?q={new string('a', 201)}");
        response.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
    }

    private static byte[] Named(int id, string name, string? description, bool isActive)
    {
        var body = JsonNode.Parse(Documents.Body("products", id))!;
        (body["name"], body["description"], body["isActive"]) = (name, description, isActive);
        return Encoding.UTF8.GetBytes(body.ToJsonString());
    }

    private async Task<int> FoundAsync(string text)
    {
        var found = await shop.Http.JsonAsync($"products/v2?isActive=true&q={Uri.EscapeDataString(text)}");
        return found.GetProperty("data").GetArrayLength();
    }

    private async Task<List<string>> SuggestAsync(string typed) => Texts(await shop.Http.JsonAsync(Path(typed)));

    // With a token the words are read again.
    private async Task<List<string>> FreshAsync(string typed)
    {
        var token = TestKeys.Tokens.Write(new ConsistencyToken([new("products", 1, 1)]));
        using var response = await shop.Http.GetAsync(Path(typed), ConsistencyToken.Header, token);
        return Texts(JsonElement.Parse(await response.Content.ReadAsByteArrayAsync()));
    }

    private static string Path(string typed) => $"products/suggest?q={Uri.EscapeDataString(typed)}";

    private static List<string> Texts(JsonElement response) =>
        [.. response.GetProperty("data").EnumerateArray().Select(one => one.GetProperty("text").GetString()!)];
}
