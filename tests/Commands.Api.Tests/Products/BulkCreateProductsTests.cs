using System.Net;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Consistency;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class BulkCreateProductsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_thousand_products_are_there_with_their_events_in_the_order_of_the_list()
    {
        var categoryId = await app.CategoryAsync();

        var ids = (await app.PostAsync("/products/bulk", Bodies(categoryId, 1000))).Ids;

        ids.Length.ShouldBe(1000);
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.created", 1);
        (await app.ScalarAsync<long>(
            $"""
            SELECT count(*) FROM unnest(ARRAY[{string.Join(',', ids)}]) WITH ORDINALITY AS i (id, place)
            JOIN shop.products AS p ON p.id = i.id AND p.name = 'Lamp ' || (i.place - 1) AND p.stock = i.place - 1
            """)).ShouldBe(1000);
    }

    [Fact]
    public async Task Lines_make_the_products_that_an_array_makes()
    {
        var categoryId = await app.CategoryAsync();
        var bodies = Bodies(categoryId, 20);

        var array = (await app.PostAsync("/products/bulk", bodies)).Ids;
        var lines = (await app.PostLinesAsync("/products/bulk", bodies)).Ids;

        (await NamesAsync(lines)).ShouldBe(await NamesAsync(array));
        await app.ShouldAllHaveSaidAsync("products", lines, "apexshop.product.created", 1);
    }

    [Theory]
    [InlineData("0")]
    [InlineData("0.01")]
    [InlineData("7.5")]
    [InlineData("9999.99")]
    [InlineData("10000")]
    [InlineData("99999999.99")]
    [InlineData("100000000")]
    [InlineData("123456789012.34")]
    [InlineData("9999999999999999.99")]
    [InlineData("1.50000")]
    public async Task Every_price_of_the_column_is_stored_to_the_cent(string price)
    {
        var categoryId = await app.CategoryAsync();

        var body = $$"""[{"name":"x","price":{{price}},"stock":1,"categoryId":{{categoryId}}}]""";
        var ids = (await app.PostAsync("/products/bulk", body)).Ids;

        (await app.ScalarAsync<bool>($"SELECT price = {price} FROM shop.products WHERE id = {ids[0]}")).ShouldBeTrue();
        await app.ShouldHaveSaidAsync("products", ids[0], "apexshop.product.created", 1);
    }

    [Fact]
    public async Task Ids_of_a_list_and_of_single_products_never_collide()
    {
        var categoryId = await app.CategoryAsync();
        var lists = Enumerable.Range(1, 12).Select(i => app.PostAsync("/products/bulk", Bodies(categoryId, i * 7)));
        var singles = Enumerable.Range(0, 60)
            .Select(_ => app.PostAsync("/products", ShopBuilder.ProductBody(categoryId)));

        var made = await Task.WhenAll(Task.WhenAll(lists), Task.WhenAll(singles));

        made[0].SelectMany(answer => answer.Ids).Concat(made[1].Select(answer => answer.Id)).ShouldBeUnique();
    }

    [Fact]
    public async Task Unknown_categories_are_named_and_nothing_is_created()
    {
        var (categoryId, before) = (await app.CategoryAsync(), await app.CountAsync("products"));
        var said = await app.CountAsync("outbox");

        var answer = await app.PostAsync("/products/bulk", new[]
        {
            ShopBuilder.ProductBody(categoryId), ShopBuilder.ProductBody(-1), ShopBuilder.ProductBody(categoryId),
            ShopBuilder.ProductBody(int.MaxValue),
        });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.category_unknown");
        answer.ErrorPaths.ShouldBe(["[1].categoryId", "[3].categoryId"]);
        (await app.CountAsync("products")).ShouldBe(before);
        (await app.CountAsync("outbox")).ShouldBe(said);
    }

    [Fact]
    public async Task One_row_that_the_database_refuses_keeps_the_others_out()
    {
        var (categoryId, before, said) =
            (await app.CategoryAsync(), await app.CountAsync("products"), await app.CountAsync("outbox"));
        object[] bodies = [.. Bodies(categoryId, 30), new { name = "a\0b", price = 1, stock = 1, categoryId }];

        (await app.PostAsync("/products/bulk", bodies)).ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");

        (await app.CountAsync("products")).ShouldBe(before);
        (await app.CountAsync("outbox")).ShouldBe(said);
    }

    [Fact]
    public async Task A_list_is_created_once_for_an_idempotency_key()
    {
        var (categoryId, before) = (await app.CategoryAsync(), await app.CountAsync("products"));
        var answers = new List<Answer>();
        for (var i = 0; i < 2; i++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, "/products/bulk");
            request.Headers.Add("Idempotency-Key", "a-list-of-products");
            request.Content = System.Net.Http.Json.JsonContent.Create(Bodies(categoryId, 25));
            using var response = await app.Http.SendAsync(request);
            response.Headers.GetValues(ConsistencyToken.Header).ShouldHaveSingleItem().ShouldNotBeEmpty();
            answers.Add(await Answer.ReadAsync(response));
        }

        answers[1].Ids.ShouldBe(answers[0].Ids);
        (await app.CountAsync("products")).ShouldBe(before + 25);
    }

    private static object[] Bodies(int categoryId, int count) =>
    [
        .. Enumerable.Range(0, count)
            .Select(i => ShopBuilder.ProductBody(categoryId, stock: i, price: i + 0.25m, name: $"Lamp {i}")),
    ];

    private Task<string?> NamesAsync(int[] ids) =>
        app.ScalarAsync<string>(
            "SELECT string_agg(name || price || stock, ',' ORDER BY id) FROM shop.products WHERE id = ANY "
            + $"(ARRAY[{string.Join(',', ids)}])");
}
