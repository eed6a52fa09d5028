using System.Net;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A kept answer is sent before the question is looked into: only to the very question that it answers.</summary>
public sealed class CachedBeforeParsingTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory]
    [InlineData("products/3", "?unknown=1")]
    [InlineData("products/v2?pageSize=7", "&unknown=1")]
    [InlineData("products/cursor?pageSize=7", "&unknown=1")]
    public async Task A_wrong_question_is_refused_though_the_right_one_is_kept(string path, string wrong)
    {
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await shop.Http.GetAsync(path + wrong)).StatusCode.ShouldBe(HttpStatusCode.BadRequest);

        using var page = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", "text/html" } } };
        (await shop.Http.SendAsync(page)).StatusCode.ShouldBe(HttpStatusCode.NotAcceptable);
        using var anything = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", "text/html, */*;q=0.1" } } };
        (await shop.Http.SendAsync(anything)).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("orders/3")]
    [InlineData("users/cursor")]
    public async Task What_is_kept_behind_a_scope_is_for_its_holders_only(string path)
    {
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        using var stranger = shop.App.CreateClient();
        (await stranger.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Fact]
    public async Task The_deprecated_version_says_so_when_it_was_kept_too()
    {
        for (var turn = 0; turn < 2; turn++)
        {
            using var answer = await shop.Http.GetAsync("products?pageSize=9");
            answer.Headers.GetValues("Deprecation").ShouldHaveSingleItem();
            answer.Headers.GetValues("Sunset").ShouldHaveSingleItem();
            string.Join(", ", answer.Headers.GetValues("Link")).Split("successor-version").Length.ShouldBe(2);
        }
    }
}
