using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class CountCacheTests(CountCacheTests.Shop shop) : IClassFixture<CountCacheTests.Shop>
{
    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .With("Reading:SearchConnections", 2).With("Reading:WaitSeconds", 10).With("Reading:SearchSeconds", 30);
    }

    [Fact]
    public async Task Pages_of_one_list_share_its_count_and_leave_connections_to_other_searches()
    {
        await using var locked = await shop.LockAsync("read.product_words");

        Task<HttpResponseMessage>[] pages =
            [.. Enumerable.Range(1, 20).Select(page => shop.Http.GetAsync($"products/v2?q=chair&page={page}"))];
        await Eventually.Holds(async () => await shop.WaitingAsync() > 0, "a count waits for the lock");
        for (var i = 0; i < 5; i++)
        {
            using var other = await shop.Http.GetAsync($"reviews/v2?minRating=4&pageSize={i + 1}");
            other.StatusCode.ShouldBe(HttpStatusCode.OK);
            (await shop.WaitingAsync()).ShouldBe(1);
        }

        await locked.DisposeAsync();
        foreach (var page in await Task.WhenAll(pages)) page.StatusCode.ShouldBe(HttpStatusCode.OK);
    }
}
