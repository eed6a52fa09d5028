using System.Net;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Limits;

public sealed class SearchTimeLimitTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task A_search_that_takes_too_long_is_an_error_of_the_search_and_not_of_the_database()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Reading:SearchSeconds", 1);
        using var http = app.CreateClient();
        await using var locker = new NpgsqlConnection(shop.Database.Projector);
        await locker.OpenAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        await using (var command = new NpgsqlCommand("LOCK TABLE read.product_words", locker))
            await command.ExecuteNonQueryAsync();

        foreach (var path in (string[])["products/v2?q=chair", "products?q=chair", "products/cursor?q=chair"])
        {
            using var answer = await http.GetAsync(path);
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
        }

        app.Failures.ShouldBeEmpty("no failure of the database is reported");
    }
}
