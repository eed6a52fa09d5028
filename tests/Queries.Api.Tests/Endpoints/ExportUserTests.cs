using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Endpoints;

/// <summary>GET /users/{id}/export.</summary>
public sealed class ExportUserTests(ExportUserTests.Shop shop) : IClassFixture<ExportUserTests.Shop>
{
    private const int OrdersOfOne = 1_500;

    /// <summary>User 1 has more orders than a chunk, user 2 has neither orders nor reviews.</summary>
    public sealed class Shop : FewOfEach
    {
        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            await PutAsync("users", [1, 2, 3]);
            await PutAsync(
                "orders", [.. Enumerable.Range(1_000, OrdersOfOne)], id => Body(id, "customer", id == 1_007 ? 3 : 1));
            await PutAsync("reviews", [1_000, 1_001, 1_002], id => Body(id, "user", id == 1_001 ? 3 : 1));
        }

        private protected override QueriesApp Configure(QueriesApp queries) => base.Configure(queries)
            .WithKey(1, "reader-only", Scopes.OrdersRead, Scopes.UsersRead)
            .With("Streaming:Exports", 1_000);

        private static byte[] Body(int id, string owner, int user) =>
            Encoding.UTF8.GetBytes($$$"""{"id":{{{id}}},"{{{owner}}}":{"id":{{{user}}}}}""");
    }

    [Fact]
    public async Task It_has_the_user_and_all_own_orders_and_reviews_and_no_other()
    {
        using var response = await shop.Http.GetAsync("users/1/export");

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.ToString().ShouldBe("application/json");
        response.Content.Headers.ContentDisposition!.ToString().ShouldBe("attachment; filename=user-1.json");
        response.Headers.CacheControl.ShouldBe(new CacheControlHeaderValue { Private = true, NoStore = true });
        var export = JsonElement.Parse(await response.Content.ReadAsStringAsync());
        export.EnumerateObject().Select(member => member.Name).ShouldBe(["user", "orders", "reviews"]);
        export.GetProperty("user").GetRawText().ShouldBe(await shop.Http.GetStringAsync("users/1"));
        Ids(export, "orders").Where(id => id >= 1_000)
            .ShouldBe(Enumerable.Range(1_000, OrdersOfOne).Where(id => id != 1_007), ignoreOrder: true);
        Ids(export, "reviews").Where(id => id >= 1_000).ShouldBe([1_000, 1_002], ignoreOrder: true);
        foreach (var (list, filter) in (ValueTuple<string, string>[])[("orders", "customerId"), ("reviews", "userId")])
            export.GetProperty(list).GetRawText().ShouldBe(await shop.Http.GetStringAsync($"{list}/stream?{filter}=1"));
    }

    [Fact]
    public async Task A_user_without_orders_and_reviews_has_empty_lists()
    {
        await shop.ExecuteAsync("DELETE FROM read.orders WHERE customer_id = 2");
        await shop.ExecuteAsync("DELETE FROM read.reviews WHERE user_id = 2");

        var user = await shop.Http.GetStringAsync("users/2");
        (await shop.Http.GetStringAsync("users/2/export"))
            .ShouldBe($$"""{"user":{{user}},"orders":[],"reviews":[]}""");
    }

    [Theory]
    [InlineData("users/2147483647/export", HttpStatusCode.NotFound, "document.not_found")]
    [InlineData("users/1/export?fields=id", HttpStatusCode.BadRequest, "query.invalid")]
    [InlineData("users/+1/export", HttpStatusCode.BadRequest, "query.invalid")]
    public async Task It_is_refused_for(string path, HttpStatusCode status, string code)
    {
        using var response = await shop.Http.GetAsync(path);
        await response.ShouldBeProblemAsync(status, code);
    }

    [Fact]
    public async Task To_read_users_and_orders_is_not_enough()
    {
        using var http = shop.App.CreateClient();
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", "reader-only");
        using var response = await http.GetAsync("users/1/export");
        await response.ShouldBeProblemAsync(HttpStatusCode.Forbidden, "access.scope_missing");
    }

    [Fact]
    public async Task Without_a_database_it_is_refused_before_the_first_byte()
    {
        await shop.ExecuteAsync("ALTER TABLE read.orders RENAME TO orders_elsewhere");
        try
        {
            using var response = await shop.Http.GetAsync("users/1/export");
            await response.ShouldBeProblemAsync(HttpStatusCode.InternalServerError, "internal");
        }
        finally
        {
            await shop.ExecuteAsync("ALTER TABLE read.orders_elsewhere RENAME TO orders");
        }
    }

    [Fact]
    public async Task An_export_that_has_begun_is_complete_although_a_newcomer_takes_the_only_connection()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .WithKey(0, ReadShop.Key, Scopes.UsersErase, Scopes.OrdersRead, Scopes.UsersRead)
            .With("Streaming:Connections", 1).With("Reading:WaitSeconds", 8);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", ReadShop.Key);
        await using var orders = await shop.LockAsync("read.orders");
        await using var ratings = await shop.LockAsync("read.product_ratings");
        var export = http.GetStringAsync("users/3/export");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the export waits for its orders");
        var newcomer = http.GetAsync("products/stream?sort=rating&limit=1");
        // Until the newcomer is the next one that gets the connection.
        await Task.Delay(TimeSpan.FromSeconds(1));
        await orders.DisposeAsync();

        // Longer than a response that has not begun may wait.
        await Task.Delay(TimeSpan.FromSeconds(12));
        (await shop.WaitingAsync()).ShouldBe(1, "the newcomer has the only connection");
        await ratings.DisposeAsync();
        Ids(JsonElement.Parse(await export), "reviews").ShouldContain(1_001);
        (await newcomer).Dispose();
    }

    private static IEnumerable<int> Ids(JsonElement export, string list) =>
        export.GetProperty(list).EnumerateArray().Select(document => document.GetProperty("id").GetInt32());
}
