using System.Net;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ExactInputTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    private static readonly string[] inexact = ["1%00", "%201", "1%20", "%2B1", "01", "-1", "%D9%A1"];

    [Theory]
    [InlineData("products?page=")]
    [InlineData("products/v2?page=")]
    [InlineData("products/v2?pageSize=")]
    [InlineData("products/v2?categoryId=")]
    [InlineData("products/cursor?afterId=")]
    [InlineData("products/stream?limit=")]
    [InlineData("products/export/ndjson?after=")]
    [InlineData("reviews/v2?minRating=")]
    public async Task A_number_in_the_query_is_digits(string path)
    {
        var name = path[(path.IndexOf('?', StringComparison.Ordinal) + 1)..^1];
        foreach (var number in inexact)
        {
            using var answer = await shop.Http.GetAsync(path + number);
            (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe([name]);
        }
    }

    [Theory, ClassData(typeof(EveryResource))]
    public async Task An_id_in_the_path_is_digits(string resource)
    {
        foreach (var id in (string[])["%207", "7%20", "%2B7", "07", "-7"])
        {
            using var answer = await shop.Http.GetAsync($"{resource}/{id}?fields=id");
            (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe(["id"]);
        }
    }

    [Theory]
    [InlineData("products/by-slug/A?fields=id", "slug")]
    [InlineData("products/07/reviews?pageSize=5", "id")]
    public async Task A_wrong_part_of_the_path_is_the_only_error(string path, string name)
    {
        using var answer = await shop.Http.GetAsync(path);
        (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe([name]);
    }

    [Fact]
    public async Task The_limits_take_no_parameter()
    {
        using var answer = await shop.Http.GetAsync("limits?x=1");
        (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe(["x"]);
    }

    [Theory]
    [InlineData("10.001")]
    [InlineData("10.00000000000000000000000000000000000001")]
    [InlineData("010")]
    [InlineData("10.")]
    [InlineData("1e1")]
    [InlineData("10%00")]
    [InlineData("%D9%A1")]
    public async Task An_amount_has_at_most_two_decimals(string amount)
    {
        using var answer = await shop.Http.GetAsync($"products/v2?minPrice={amount}");
        (await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid")).Named().ShouldBe(["minPrice"]);
    }

    [Theory]
    [InlineData("10.1")]
    [InlineData("10.100")]
    [InlineData("0")]
    public async Task Zeros_after_two_decimals_are_the_same_amount(string amount)
    {
        using var answer = await shop.Http.GetAsync($"products/v2?minPrice={amount}");
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
    }
}
