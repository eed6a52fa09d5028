using System.Net;

namespace ApexShop.Commands.Api.Tests.Reviews;

public sealed class DeleteOldReviewsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deletes_the_products_older_reviews_chunk_by_chunk_and_no_others()
    {
        var (productId, other) = (await app.ProductAsync(), await app.ProductAsync());
        var old = await app.ManyReviewsAsync(productId, 2_000, daysAgo: 31);
        var recent = await app.ManyReviewsAsync(productId, 3, daysAgo: 29);
        var others = await app.ManyReviewsAsync(other, 3, daysAgo: 31);

        var answer = await app.DeleteAsync($"/reviews/product/{productId}/bulk-delete-old?olderThanDays=30");

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.Body.GetProperty("deleted").GetInt32().ShouldBe(2_000);
        (await app.SaidGoneAsync("reviews", old, 2_000)).ShouldBe(2_000);
        (await app.StatementsAsync("reviews", old, 2_000)).ShouldBe("2 in 2");
        (await app.CountAsync("reviews", $"id IN ({recent}, {recent + 2}, {others}, {others + 2})")).ShouldBe(4);
    }

    [Fact]
    public async Task Four_concurrent_requests_delete_and_count_each_review_once()
    {
        var productId = await app.ProductAsync();
        var old = await app.ManyReviewsAsync(productId, 3_500, daysAgo: 31);

        var answers = await Task.WhenAll(Enumerable.Range(0, 4)
            .Select(_ => app.DeleteAsync($"/reviews/product/{productId}/bulk-delete-old?olderThanDays=30")));

        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.OK);
        answers.Sum(answer => answer.Body.GetProperty("deleted").GetInt32()).ShouldBe(3_500);
        (await app.SaidGoneAsync("reviews", old, 3_500)).ShouldBe(3_500);
    }

    [Fact]
    public async Task Does_not_find_a_product_that_is_not_there() =>
        (await app.DeleteAsync($"/reviews/product/{int.MaxValue}/bulk-delete-old?olderThanDays=30"))
            .ShouldBeProblem(HttpStatusCode.NotFound, "product.not_found");
}
