using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Consistency;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class BulkUpdateProductsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Chunk = 200;

    [Theory]
    [InlineData("application/json")]
    [InlineData(BulkRequests.Lines)]
    public async Task Each_chunk_gets_a_line_and_the_last_line_has_the_totals(string type)
    {
        var (categoryId, ids) = await app.ProductsAsync(450);
        int[] shuffled = [.. ids.Reverse()];

        var lines = await PutAsync(shuffled.Select(id => Item(id, categoryId)), type);

        lines.Count.ShouldBe(4);
        lines.SkipLast(1).Select(line => line.GetProperty("first").GetInt32()).ShouldBe([0, 200, 400]);
        lines.SkipLast(1).Select(line => line.GetProperty("chunk").GetInt32()).ShouldBe([0, 1, 2]);
        lines.SkipLast(1).Select(line => line.GetProperty("count").GetInt32()).ShouldBe([200, 200, 50]);
        lines.SkipLast(1).SelectMany(Ids).ShouldBe(shuffled);
        lines[^1].GetRawText().ShouldBe("""{"done":true,"updated":450,"failed":0}""");
        TestKeys.Tokens.TryRead(lines[0].GetProperty("consistencyToken").GetString()!, out _).ShouldBeTrue();
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 2);
    }

    [Fact]
    public async Task Everything_a_caller_may_say_is_replaced_as_by_a_single_command()
    {
        var (categoryId, ids) = await app.ProductsAsync(2);
        var other = await app.CategoryAsync();
        const string body =
            """
            "name":"Ünï ☃","description":null,"price":9999999999999999.99,"stock":2147483647,"isActive":false,
            "isFeatured":true
            """;

        await PutTextAsync($$"""[{"id":{{ids[0]}},"version":1,{{body}},"categoryId":{{other}}}]""");
        await app.PutAsync($"/products/{ids[1]}", $$"""{{{body}},"categoryId":{{other}}}""", "\"1\"");

        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 2);
        (await app.ScalarAsync<long>(
            $"""
            SELECT count(DISTINCT (name, description, price, stock, is_active, is_featured, category_id, created_date,
                updated_date > created_date, version))
            FROM shop.products WHERE id IN ({ids[0]}, {ids[1]})
            """)).ShouldBe(1);
        categoryId.ShouldNotBe(other);
    }

    [Fact]
    public async Task A_refused_chunk_changes_nothing_and_the_others_go_on()
    {
        var (categoryId, ids) = await app.ProductsAsync(5 * Chunk);
        var items = ids.Select(id => Item(id, categoryId)).ToArray();
        items[3] = Item(ids[3], categoryId, price: -1);
        items[Chunk + 7] = Item(-7, categoryId);
        items[(2 * Chunk) + 9] = Item(ids[(2 * Chunk) + 9], categoryId, version: 5);
        items[(3 * Chunk) + 11] = Item(ids[(3 * Chunk) + 11], -1);

        var lines = await PutAsync(items, BulkRequests.Lines);

        lines.SkipLast(2).Select(Refusal).ShouldBe(
        [
            (400, "request.invalid", "[3].price"),
            (404, "product.not_found", "[207].id"),
            (412, "version.mismatch", "[409].version"),
            (409, "product.category_unknown", "[611].categoryId"),
        ]);
        lines[2]
            .GetProperty("problem")
            .GetProperty("current")
            .GetRawText()
            .ShouldBe($$"""[{"id":{{ids[409]}},"version":1}]""");
        lines[^1].GetRawText().ShouldBe("""{"done":true,"updated":200,"failed":800}""");
        await app.ShouldAllHaveSaidAsync("products", ids[..(4 * Chunk)], "apexshop.product.created", 1);
        await app.ShouldAllHaveSaidAsync("products", ids[(4 * Chunk)..], "apexshop.product.updated", 2);
    }

    [Fact]
    public async Task An_id_may_occur_once_in_a_chunk()
    {
        var (categoryId, ids) = await app.ProductsAsync(2);

        var lines = await PutAsync(
            [Item(ids[0], categoryId), Item(ids[1], categoryId), Item(ids[0], categoryId)], BulkRequests.Lines);

        Refusal(lines[0]).ShouldBe((400, "request.invalid", "[2].id"));
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.created", 1);
    }

    [Theory]
    [InlineData("[]", "application/json", 400, "request.invalid")]
    [InlineData("{}", "application/json", 400, "request.invalid")]
    [InlineData("", BulkRequests.Lines, 400, "request.invalid")]
    [InlineData("", "application/json", 400, "request.malformed")]
    [InlineData("[{\"id\":1}", "application/json", 400, "request.malformed")]
    [InlineData("[]", "text/plain", 415, "content_type.unsupported")]
    public async Task A_body_that_is_no_list_is_refused_before_the_answer_starts(
        string text, string type, int status, string code) =>
        (await app.SendTextAsync(HttpMethod.Put, "/products/bulk", text, type))
            .ShouldBeProblem((HttpStatusCode)status, code);

    [Fact]
    public async Task Truncated_text_ends_the_list_and_committed_chunks_stay()
    {
        var (categoryId, ids) = await app.ProductsAsync(Chunk + 10);
        var text = BulkRequests.ToLines(ids.Select(id => Item(id, categoryId))) + "\n{\"id\":";

        var lines = Lines(await app.SendTextAsync(HttpMethod.Put, "/products/bulk", text, BulkRequests.Lines));

        lines[1].GetProperty("problem").GetProperty("code").GetString().ShouldBe("request.malformed");
        lines[1].GetProperty("count").GetInt32().ShouldBe(10);
        lines[^1].GetRawText().ShouldBe("""{"done":false,"updated":200,"failed":10}""");
        await app.ShouldAllHaveSaidAsync("products", ids[..Chunk], "apexshop.product.updated", 2);
        await app.ShouldAllHaveSaidAsync("products", ids[Chunk..], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task The_body_may_be_larger_than_any_other()
    {
        var (categoryId, ids) = await app.ProductsAsync(1000);
        var description = string.Concat(Enumerable.Repeat("\\u00e9", 1990));
        var rest = $"""
            "name":"x","price":1,"categoryId":{categoryId},"description":"{description}"
            """;
        var items = ids.Select(id => $$"""{"id":{{id}},{{rest}}}""");

        var lines = Lines(
            await app.SendTextAsync(HttpMethod.Put, "/products/bulk", BulkRequests.ToLines(items), BulkRequests.Lines));

        lines[^1].GetRawText().ShouldBe("""{"done":true,"updated":1000,"failed":0}""");
    }

    [Fact]
    public async Task Lists_and_single_commands_side_by_side_leave_no_version_out()
    {
        var (categoryId, ids) = await app.ProductsAsync(40);
        var lists = Enumerable.Range(0, 6)
            .Select(
                i => PutAsync(
                    (i % 2 == 0 ? ids : ids.Reverse()).Select(id => Item(id, categoryId, price: i)),
                    BulkRequests.Lines));
        var singles = ids.Select(id => app.PutAsync($"/products/{id}", ShopBuilder.ReplacementBody(categoryId)));

        var answers = await Task.WhenAll(lists);
        await Task.WhenAll(singles);

        answers.Select(lines => lines[^1].GetProperty("updated").GetInt32()).ShouldAllBe(updated => updated == 40);
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 8);
    }

    internal static object Item(int id, int categoryId, decimal price = 3, long? version = null) =>
        new { id, name = "New", price, categoryId, version };

    internal static List<JsonElement> Lines(Answer answer)
    {
        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.MediaType.ShouldBe(BulkRequests.Lines);
        answer.Text.ShouldEndWith("\n");
        return [.. answer.Text.Trim().Split('\n').Select(line => JsonDocument.Parse(line).RootElement)];
    }

    private static IEnumerable<int> Ids(JsonElement line) =>
        line.GetProperty("items").EnumerateArray().Select(item => item.GetProperty("id").GetInt32());

    private static (int, string?, string) Refusal(JsonElement line)
    {
        var problem = line.GetProperty("problem");
        problem.GetProperty("traceId").GetString().ShouldNotBeNullOrEmpty();
        var path = problem.GetProperty("errors").EnumerateObject().ShouldHaveSingleItem().Name;
        return (problem.GetProperty("status").GetInt32(), problem.GetProperty("code").GetString(), path);
    }

    private async Task<List<JsonElement>> PutAsync(IEnumerable<object> items, string type)
    {
        var lines = BulkRequests.ToLines(items);
        var text = type == BulkRequests.Lines ? lines : "[" + lines.Replace('\n', ',') + "]";
        return Lines(await app.SendTextAsync(HttpMethod.Put, "/products/bulk", text, type));
    }

    private async Task PutTextAsync(string text) =>
        Lines(await app.SendTextAsync(HttpMethod.Put, "/products/bulk", text, "application/json"))[^1]
            .GetProperty("updated")
            .GetInt32()
            .ShouldBe(1);
}
