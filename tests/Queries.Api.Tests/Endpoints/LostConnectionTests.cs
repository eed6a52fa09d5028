using System.Net;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class LostConnectionTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("products/1", "products/2")]
    [InlineData("products/cursor?pageSize=3", "products/cursor?pageSize=4")]
    [InlineData("products/v2?pageSize=3", "products/v2?pageSize=4")]
    [InlineData("products/cursor?q=product", "products/cursor?q=other")]
    [InlineData("products/stream?isActive=true", "products/stream?isActive=true")]
    [InlineData("orders/export/ndjson", "orders/export/ndjson")]
    public async Task A_query_succeeds_although_the_database_closed_the_connections(string before, string after)
    {
        (await shop.Http.GetAsync(before)).StatusCode.ShouldBe(HttpStatusCode.OK);
        await DropAsync();

        (await shop.Http.GetAsync(after)).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_list_of_the_deprecated_version_says_so_although_it_was_read_twice()
    {
        (await shop.Http.GetAsync("products?pageSize=5")).StatusCode.ShouldBe(HttpStatusCode.OK);
        await DropAsync();

        using var response = await shop.Http.GetAsync("products?pageSize=6");
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Headers.GetValues("Deprecation").ShouldHaveSingleItem();
        response.Headers.GetValues("Link").ShouldContain(link => link.Contains("rel=\"successor-version\""));
    }

    [Fact]
    public async Task An_export_that_is_begun_again_counts_once()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:Exports", 2);
        using var http = app.CreateClient();
        (await http.GetAsync("products/export/ndjson")).StatusCode.ShouldBe(HttpStatusCode.OK);
        await DropAsync();

        (await http.GetAsync("products/export/ndjson")).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    private async Task DropAsync()
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            """
            SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'apexshop-queries-%'
            """,
            connection);
        ((long)(await command.ExecuteScalarAsync())!).ShouldBeGreaterThan(0);
    }
}
