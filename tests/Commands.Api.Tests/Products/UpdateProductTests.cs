using System.Net;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class UpdateProductTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Replaces_everything_and_raises_the_version_by_one()
    {
        var id = await app.ProductAsync();
        var categoryId = await app.CategoryAsync();

        var answer = await app.PutAsync(
            $"/products/{id}", new { name = "Torch", price = 1, stock = 7, categoryId, isActive = false }, "\"1\"");

        answer.ShouldBeReplaced(id, 2);
        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 2);
        state.GetProperty("name").GetString().ShouldBe("Torch");
        state.GetProperty("price").GetRawText().ShouldBe("1.00");
        state.GetProperty("stock").GetInt32().ShouldBe(7);
        state.GetProperty("categoryId").GetInt32().ShouldBe(categoryId);
        state.GetProperty("isActive").GetBoolean().ShouldBeFalse();
        state.GetProperty("updatedDate").GetString().ShouldEndWith("Z");
    }

    [Theory]
    [InlineData("\"1\"")]
    [InlineData("W/\"1\"")]
    [InlineData("\"1.2.77\"")]
    [InlineData("\"9\", \"1\"")]
    [InlineData("*")]
    public async Task Accepts_an_If_Match_that_names_the_current_version(string ifMatch)
    {
        var id = await app.ProductAsync();

        var answer = await app.PutAsync($"/products/{id}", ShopBuilder.ProductBody(await app.CategoryAsync()), ifMatch);

        answer.ShouldBeReplaced(id, 2);
    }

    [Theory]
    [InlineData("\"2\"")]
    [InlineData("\"11\"")]
    [InlineData("\"other\"")]
    public async Task Refuses_another_If_Match_and_names_the_current_version(string ifMatch)
    {
        var id = await app.ProductAsync();

        var answer = await app.PutAsync($"/products/{id}", ShopBuilder.ProductBody(await app.CategoryAsync()), ifMatch);

        answer.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        answer.Body.GetProperty("version").GetInt64().ShouldBe(1);
        (await app.OutboxAsync("products", id)).Count.ShouldBe(1);
    }

    [Fact]
    public async Task Sixty_four_concurrent_writers_create_sixty_four_versions()
    {
        var id = await app.ProductAsync();
        var category = await app.CategoryAsync();

        var answers = await Task.WhenAll(Enumerable.Range(0, 64).Select(
            price => app.PutAsync($"/products/{id}", ShopBuilder.ReplacementBody(category, price))));

        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.OK);
        var versions = (await app.OutboxAsync("products", id)).Select(said => said.Version);
        versions.ShouldBe(Enumerable.Range(1, 65).Select(version => (long)version));
    }

    [Fact]
    public async Task Of_writers_with_the_same_If_Match_one_succeeds()
    {
        var id = await app.ProductAsync();
        var body = ShopBuilder.ProductBody(await app.CategoryAsync());

        var answers =
            await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => app.PutAsync($"/products/{id}", body, "\"1\"")));

        answers.Count(answer => answer.Status == HttpStatusCode.OK).ShouldBe(1);
        answers.Count(answer => answer.Status == HttpStatusCode.PreconditionFailed).ShouldBe(15);
    }

    [Fact]
    public async Task Refuses_a_category_that_does_not_exist()
    {
        var answer = await app.PutAsync($"/products/{await app.ProductAsync()}", ShopBuilder.ProductBody(int.MaxValue));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.category_unknown");
    }

    [Fact]
    public async Task Does_not_find_what_is_not_there()
    {
        var answer =
            await app.PutAsync($"/products/{int.MaxValue}", ShopBuilder.ProductBody(await app.CategoryAsync()));

        answer.ShouldBeProblem(HttpStatusCode.NotFound, "product.not_found");
    }
}
