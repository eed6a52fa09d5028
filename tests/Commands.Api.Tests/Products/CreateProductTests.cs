using System.Net;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class CreateProductTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_response_has_location_and_version_and_the_event_equals_the_row()
    {
        var answer = await app.PostAsync("/products", new
        {
            name = "Lämp \"<2>\"",
            description = "Bright\nand warm",
            price = 9_999_999_999_999_999.99m,
            stock = int.MaxValue,
            categoryId = await app.CategoryAsync(),
            isFeatured = true,
        });

        answer.ShouldBeCreated("products");
        var state = await app.ShouldHaveSaidAsync("products", answer.Id, "apexshop.product.created", 1);
        state.GetProperty("price").GetRawText().ShouldBe("9999999999999999.99");
        state.GetProperty("isActive").GetBoolean().ShouldBeTrue();
        state.GetProperty("isFeatured").GetBoolean().ShouldBeTrue();
        state.GetProperty("updatedDate").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
    }

    [Fact]
    public async Task Refuses_a_category_that_does_not_exist()
    {
        var answer = await app.PostAsync("/products", ShopBuilder.ProductBody(int.MaxValue, name: "Nowhere"));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.category_unknown");
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.outbox WHERE data->>'name' = 'Nowhere'")).ShouldBe(0);
    }

    [Fact]
    public async Task Carries_the_trace_of_the_request_into_the_outbox()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/products");
        request.Headers.Add("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        request.Content = System.Net.Http.Json.JsonContent.Create(ShopBuilder.ProductBody(await app.CategoryAsync()));
        using var response = await app.Http.SendAsync(request);
        var answer = await Answer.ReadAsync(response);

        var said = await app.ScalarAsync<string>(
            $"SELECT trace_parent FROM shop.outbox WHERE resource = 'products' AND aggregate_id = {answer.Id}");
        said.ShouldStartWith("00-0af7651916cd43dd8448eb211c80319c-");
    }
}
