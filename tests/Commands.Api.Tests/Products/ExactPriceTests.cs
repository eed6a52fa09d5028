using System.Net;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class ExactPriceTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("10.001")]
    [InlineData("10.00000000000000000000000000000000001")]
    [InlineData("0.00000000000000000000000000000000000001")]
    [InlineData("9.99999999999999999999999999999999999999")]
    [InlineData("0.9999999999999999999999999999999")]
    [InlineData("1e-40")]
    [InlineData("1e-2147483647")]
    [InlineData("1001e-3")]
    [InlineData("10000000000000000000000000000001e-30")]
    public async Task A_price_with_more_than_two_decimals_is_refused(string price)
    {
        var (category, product) = (await app.CategoryAsync(), await app.ProductAsync());
        var body = $$"""{"name":"x","price":{{price}},"stock":1,"categoryId":{{category}}}""";
        var item = body.Replace("{", $$"""{"id":{{product}},""", StringComparison.Ordinal);
        (HttpMethod Method, string Path, string Body, string Member)[] all =
        [
            (HttpMethod.Post, "/products", body, "price"), (HttpMethod.Put, $"/products/{product}", body, "price"),
            (HttpMethod.Post, "/products/bulk", $"[{body}]", "[0].price"),
        ];
        foreach (var (method, path, text, member) in all)
        {
            var answer = await app.SendAsync(method, path, text);

            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            var errors = answer.Body.GetProperty("errors").EnumerateObject().ToList();
            errors.Select(error => error.Name).ShouldBe([member], path);
            errors[0].Value[0].GetString()!.ShouldContain("at most two decimals");
        }

        var streamed = await app.SendAsync(HttpMethod.Put, "/products/bulk", $"[{item}]");
        streamed.Text.ShouldContain("[0].price");
        (await app.CountAsync("products", $"id = {product} AND version = 1")).ShouldBe(1);
    }

    [Theory]
    [InlineData("10.10", "10.10")]
    [InlineData("10.100", "10.10")]
    [InlineData("10.1000000000000000000000000000000000000000", "10.10")]
    [InlineData("1", "1.00")]
    [InlineData("0", "0.00")]
    [InlineData("0.000000000000000000000000000000000000", "0.00")]
    [InlineData("0e-99999", "0.00")]
    [InlineData("1.05E1", "10.50")]
    [InlineData("12345000e-5", "123.45")]
    [InlineData("9999999999999999.99", "9999999999999999.99")]
    public async Task A_price_with_two_decimals_is_stored_in_any_notation(string price, string stored)
    {
        var category = await app.CategoryAsync();
        var answer = await app.PostAsync(
            "/products", $$"""{"name":"x","price":{{price}},"stock":1,"categoryId":{{category}}}""");

        answer.ShouldBeCreated("products");
        (await app.ScalarAsync<string>($"SELECT price::text FROM shop.products WHERE id = {answer.Id}"))
            .ShouldBe(stored);
    }
}
