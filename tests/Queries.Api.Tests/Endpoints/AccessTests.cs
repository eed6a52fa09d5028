using System.Net;
using System.Net.Http.Headers;
using ApexShop.Access;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class AccessTests(AccessTests.Shop shop) : IClassFixture<AccessTests.Shop>
{
    private static readonly string[] paths =
        ["7", "?page=1", "v2", "cursor", "changes", "stream", "export/ndjson", "stream?limit=0"];

    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .WithKey(1, "orders-only", Scopes.OrdersRead)
            .WithKey(2, "users-only", Scopes.UsersRead)
            .WithKey(3, "writer", Scopes.OrdersWrite, Scopes.UsersWrite, Scopes.CatalogWrite, Scopes.Admin);
    }

    [Theory]
    [InlineData("orders", null, HttpStatusCode.Unauthorized)]
    [InlineData("orders", "unknown", HttpStatusCode.Unauthorized)]
    [InlineData("orders", "users-only", HttpStatusCode.Forbidden)]
    [InlineData("orders", "writer", HttpStatusCode.Forbidden)]
    [InlineData("users", null, HttpStatusCode.Unauthorized)]
    [InlineData("users", "unknown", HttpStatusCode.Unauthorized)]
    [InlineData("users", "orders-only", HttpStatusCode.Forbidden)]
    [InlineData("users", "writer", HttpStatusCode.Forbidden)]
    public async Task Orders_and_users_are_closed_without_their_scope(
        string resource, string? key, HttpStatusCode status)
    {
        using var http = Caller(key);
        foreach (var path in paths)
        {
            using var answer = await http.GetAsync($"{resource}/{path}");
            await answer.ShouldBeProblemAsync(
                status, status == HttpStatusCode.Unauthorized ? "access.key_required" : "access.scope_missing");
            answer.Headers.WwwAuthenticate.Count.ShouldBe(status == HttpStatusCode.Unauthorized ? 1 : 0);
        }
    }

    [Theory]
    [InlineData("orders", "orders-only")]
    [InlineData("users", "users-only")]
    public async Task The_right_scope_opens_them_and_no_client_may_cache_the_response(string resource, string key)
    {
        using var http = Caller(key);
        foreach (var path in paths.SkipLast(1))
        {
            using var answer = await http.GetAsync($"{resource}/{path}");
            answer.StatusCode.ShouldBe(HttpStatusCode.OK);
            answer.Headers.CacheControl.ShouldBe(new CacheControlHeaderValue { Private = true, NoStore = true });
        }
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("reviews")]
    public async Task The_catalogue_needs_no_key(string resource)
    {
        using var http = Caller(null);
        foreach (var path in paths.SkipLast(1))
        {
            using var answer = await http.GetAsync($"{resource}/{path}");
            answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        }
    }

    private HttpClient Caller(string? key)
    {
        var http = shop.App.CreateClient();
        if (key is not null) http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return http;
    }
}
