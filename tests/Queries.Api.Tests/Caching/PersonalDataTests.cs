using ApexShop.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>After each query was read twice, Redis contains nothing that needs a scope.</summary>
public sealed class PersonalDataTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Fact]
    public async Task Redis_holds_pages_of_the_catalogue_and_nothing_of_users_and_orders()
    {
        string[] lists =
        [
            "", "/v2", "/v2?page=2&pageSize=4", "/cursor", "/cursor?pageSize=3", "/v2?sort=newest", "/7", "/stream",
        ];
        string[] filtered =
        [
            "users/v2?email=u7@example.com", "users/cursor?isActive=true", "orders/v2?customerId=7",
            "orders/v2?minAmount=3&status=Pending",
            "reviews/v2?userId=7&minRating=1", "products/v2?inStock=false&minPrice=2", "products/v2?q=desk",
        ];
        for (var turn = 0; turn < 2; turn++)
        {
            var paths = Documents.Resources.SelectMany(resource => lists.Select(list => resource + list));
            foreach (var path in paths.Concat(filtered))
            {
                // A resource without this sort rejects it; an error must not be cached either.
                using var answer = await shop.Http.GetAsync(path);
                ((int)answer.StatusCode).ShouldBeLessThan(500, path);
            }

            // Memory serves no second request then: plain pages after a cursor go to Redis when they are read again.
            await shop.Tags.RaiseAsync(shop.App, "*");
        }

        var kept = await shop.Tags.AllAsync();
        var answers = kept.Where(entry => entry.Key.Contains("answer:", StringComparison.Ordinal)).ToList();
        answers.ShouldContain(answer => answer.Key.Contains("products/v2?page=2", StringComparison.Ordinal));
        foreach (var page in (string[])["products/cursor", "categories/cursor?pageSize=3"])
            answers.ShouldContain(answer => answer.Key.EndsWith(page, StringComparison.Ordinal), page);
        answers.ShouldContain(
            answer => answer.Key.EndsWith(" count", StringComparison.Ordinal), "counts have entries of their own");
        string[] personal =
            ["example.com", "email", "lastName", "shippingAddress", "1 Long Street", "users/", "orders/", "totalSpent"];
        foreach (var (key, value) in kept)
        {
            foreach (var word in personal) $"{key} {value}".ShouldNotContain(word);
        }

        answers.ShouldAllBe(
            answer => !answer.Key.Contains("products/7", StringComparison.Ordinal), "single documents stay in memory");
    }

    [Fact]
    public async Task Entries_expire()
    {
        await shop.Http.GetStringAsync("categories/v2");
        var keys = (await shop.Tags.AllAsync()).Keys
            .Where(key => key.Contains("answer:", StringComparison.Ordinal)).ToList();
        keys.ShouldNotBeEmpty();
        foreach (var key in keys)
        {
            var left = await shop.Tags.Redis.KeyTimeToLiveAsync(key);
            left.ShouldNotBeNull(key);
            left.Value.ShouldBeLessThanOrEqualTo(
                TimeSpan.FromMinutes(key.EndsWith(" count", StringComparison.Ordinal) ? 15 : 5));
        }
    }
}
