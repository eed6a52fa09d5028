using System.Net;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class CountCacheTests(CountCacheTests.Shop shop) : IClassFixture<CountCacheTests.Shop>
{
    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .With("Reading:SearchConnections", 2).With("Reading:WaitSeconds", 1).With("Reading:SearchSeconds", 30);
    }

    [Fact]
    public async Task Pages_of_one_list_share_its_count_and_leave_connections_to_other_searches()
    {
        await using var locker = new NpgsqlConnection(shop.Database.Projector);
        await locker.OpenAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        await using (var command = new NpgsqlCommand("LOCK TABLE read.product_words", locker))
            await command.ExecuteNonQueryAsync();

        Task<HttpResponseMessage>[] pages =
            [.. Enumerable.Range(1, 20).Select(page => shop.Http.GetAsync($"products/v2?q=chair&page={page}"))];
        await Eventually.Holds(async () => await WaitingAsync() > 0, "a count waits for the lock");
        for (var i = 0; i < 5; i++)
        {
            using var other = await shop.Http.GetAsync($"reviews/v2?minRating=4&pageSize={i + 1}");
            other.StatusCode.ShouldBe(HttpStatusCode.OK);
            (await WaitingAsync()).ShouldBe(1);
        }

        await transaction.RollbackAsync();
        foreach (var page in await Task.WhenAll(pages)) page.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    private async Task<long> WaitingAsync()
    {
        await using var superuser = new NpgsqlConnection(shop.Database.Superuser);
        await superuser.OpenAsync();
        await using var count = new NpgsqlCommand(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'queries' AND wait_event_type = 'Lock'
            """,
            superuser);
        return (long)(await count.ExecuteScalarAsync())!;
    }
}
