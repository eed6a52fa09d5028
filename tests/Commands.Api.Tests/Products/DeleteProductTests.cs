using System.Net;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class DeleteProductTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deletes_its_reviews_each_with_an_event()
    {
        var id = await app.ProductAsync();
        var first = await app.ReviewAsync(id, await app.UserAsync());
        var second = await app.ReviewAsync(id, await app.UserAsync());

        var answer = await app.DeleteAsync($"/products/{id}");

        answer.Status.ShouldBe(HttpStatusCode.NoContent);
        await app.ShouldBeGoneAsync("products", id, "apexshop.product.deleted", 2);
        await app.ShouldBeGoneAsync("reviews", first, "apexshop.review.deleted", 2);
        await app.ShouldBeGoneAsync("reviews", second, "apexshop.review.deleted", 2);
    }

    [Fact]
    public async Task Is_refused_while_orders_refer_to_it_and_lists_them()
    {
        var id = await app.ProductAsync();
        var orderId = await app.OrderAsync((id, 1));

        var answer = await app.DeleteAsync($"/products/{id}");

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold");
        var blockedBy = answer.Body.GetProperty("blockedBy");
        blockedBy.GetProperty("resource").GetString().ShouldBe("orders");
        blockedBy.GetProperty("ids").EnumerateArray().Select(order => order.GetInt32()).ShouldBe([orderId]);
    }

    [Fact]
    public async Task A_review_written_while_the_product_is_deleted_is_refused_or_gets_its_event()
    {
        var users = await Task.WhenAll(Enumerable.Range(0, 12).Select(_ => app.UserAsync()));
        var id = await app.ProductAsync();

        var reviews = users.Select(userId => app.PostAsync("/reviews", new { productId = id, userId, rating = 1 }))
            .ToList();
        var deletion = await app.DeleteAsync($"/products/{id}");
        var written = (await Task.WhenAll(reviews)).Where(answer => answer.Status == HttpStatusCode.Created);

        deletion.Status.ShouldBe(HttpStatusCode.NoContent);
        foreach (var review in written) await app.ShouldBeGoneAsync("reviews", review.Id, "apexshop.review.deleted", 2);
    }

    [Fact]
    public async Task Keeps_the_product_when_If_Match_names_another_version()
    {
        var id = await app.ProductAsync();

        (await app.DeleteAsync($"/products/{id}", "\"2\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        (await app.DeleteAsync($"/products/{id}", "\"1\"")).Status.ShouldBe(HttpStatusCode.NoContent);
        (await app.DeleteAsync($"/products/{id}")).ShouldBeProblem(HttpStatusCode.NotFound, "product.not_found");
    }
}
