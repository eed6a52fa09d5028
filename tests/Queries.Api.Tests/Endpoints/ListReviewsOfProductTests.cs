using System.Net;
using ApexShop.Caching;
using ApexShop.Queries.Api.Tests.Caching;

namespace ApexShop.Queries.Api.Tests.Endpoints;

/// <summary>GET /products/{id}/reviews, with caches.</summary>
public sealed class ListReviewsOfProductTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory]
    [InlineData("", "")]
    [InlineData("?pageSize=1&sort=-rating", "&pageSize=1&sort=-rating")]
    [InlineData("?minRating=2&fields=id,rating", "&minRating=2&fields=id,rating")]
    public async Task It_is_the_list_of_reviews_with_this_product(string given, string same)
    {
        foreach (var id in (int[])[3, 4])
        {
            var expected = (await shop.Http.JsonAsync($"reviews/cursor?productId={id}{same}")).GetRawText();
            for (var turn = 0; turn < 2; turn++)
                (await shop.Http.JsonAsync($"products/{id}/reviews{given}")).GetRawText().ShouldBe(expected);
        }
    }

    [Theory]
    [InlineData("products/2147483647/reviews", HttpStatusCode.NotFound, "document.not_found")]
    [InlineData("products/+3/reviews", HttpStatusCode.BadRequest, "query.invalid")]
    [InlineData("products/3/reviews?productId=4", HttpStatusCode.BadRequest, "query.invalid")]
    [InlineData("products/3/reviews?page=2", HttpStatusCode.BadRequest, "query.invalid")]
    public async Task A_request_without_a_product_or_with_other_parameters_is_refused(
        string path, HttpStatusCode status, string code)
    {
        using var response = await shop.Http.GetAsync(path);
        await response.ShouldBeProblemAsync(status, code);
    }

    [Fact]
    public async Task A_product_that_was_deleted_has_no_list()
    {
        await shop.PutAsync("products", [77]);
        (await shop.Http.JsonAsync("products/77/reviews")).GetProperty("data").GetArrayLength().ShouldBe(0);
        await shop.DeleteAsync("products", [77]);
        await shop.Tags.RaiseAsync(shop.App, CacheTags.Document("products", 77));
        using var response = await shop.Http.GetAsync("products/77/reviews");
        await response.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
    }
}
