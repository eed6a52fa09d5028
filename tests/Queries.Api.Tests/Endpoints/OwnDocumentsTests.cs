using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.ReadModels;
using ApexShop.TestKit;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Endpoints;

/// <summary>Four customers with ten orders each: order 6 is of customer 2. Responses are cached.</summary>
public sealed class OwnDocumentsTests(OwnDocumentsTests.Shop shop) : IClassFixture<OwnDocumentsTests.Shop>
{
    private const int Orders = 40;

    private static readonly string[] lists =
        ["orders", "orders?page=1&pageSize=100", "orders/v2", "orders/v2?pageSize=100", "orders/cursor?sort=newest"];

    public sealed class Shop : FewOfEach
    {
        protected override async Task SeedAsync()
        {
            await base.SeedAsync();
            await EmptyAsync("orders");
            await PutAsync("orders", [.. Enumerable.Range(1, Orders)], id =>
            {
                var order = JsonSerializer.Deserialize(Documents.Body("orders", id), ReadModelJson.Wire.OrderView)!;
                return JsonSerializer.SerializeToUtf8Bytes(
                    order with { Customer = new Reference(OwnerOf(id), null) }, ReadModelJson.Wire.OrderView);
            });
        }

        private protected override QueriesApp Configure(QueriesApp queries) => queries.WithCache();
    }

    [Fact]
    public async Task A_customer_gets_only_own_orders_also_after_other_readers()
    {
        using var one = Customer(1);
        using var two = Customer(2);
        for (var turn = 0; turn < 2; turn++)
        {
            foreach (var path in lists)
            {
                Owners(await shop.Http.JsonAsync(path)).Distinct().Count().ShouldBe(4, path);
                Owners(await one.JsonAsync(path)).Distinct().ShouldBe([1], path);
                Owners(await two.JsonAsync(path)).Distinct().ShouldBe([2], path);
                Owners(await shop.Http.JsonAsync(path)).Distinct().Count().ShouldBe(4, path);
            }

            (await two.JsonAsync("orders/v2?pageSize=1")).GetProperty("totalCount").GetInt32().ShouldBe(Orders / 4);
        }
    }

    [Fact]
    public async Task An_order_of_another_customer_is_not_found()
    {
        using var two = Customer(2);
        for (var turn = 0; turn < 2; turn++)
        {
            for (var id = 1; id <= 8; id++)
            {
                (await shop.Http.JsonAsync($"orders/{id}")).GetProperty("id").GetInt32().ShouldBe(id);
                if (OwnerOf(id) == 2)
                {
                    (await two.JsonAsync($"orders/{id}")).GetProperty("id").GetInt32().ShouldBe(id);
                    continue;
                }

                foreach (var method in (HttpMethod[])[HttpMethod.Get, HttpMethod.Head])
                {
                    using var request = new HttpRequestMessage(method, $"orders/{id}");
                    request.Headers.TryAddWithoutValidation("If-None-Match", "*");
                    using var answer = await two.SendAsync(request);
                    answer.StatusCode.ShouldBe(HttpStatusCode.NotFound);
                    answer.Headers.ETag.ShouldBeNull();
                    if (method == HttpMethod.Get)
                        await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
                }
            }
        }
    }

    [Theory]
    [InlineData("orders/batch?ids=6,1,2")]
    [InlineData("orders/batch?ids=6,1,2&fields=id")]
    public async Task A_list_of_ids_has_only_own_orders_and_the_others_are_missing(string path)
    {
        using var two = Customer(2);
        for (var turn = 0; turn < 2; turn++)
        {
            Documents.Ids((await shop.Http.JsonAsync(path)).GetProperty("data")).ShouldBe([6, 1, 2]);

            var own = await two.JsonAsync(path);
            Documents.Ids(own.GetProperty("data")).ShouldBe([6, 2]);
            own.GetProperty("missing").EnumerateArray().Select(id => id.GetInt32()).ShouldBe([1]);
        }
    }

    [Theory]
    [InlineData("customerId=1")]
    [InlineData("CUSTOMERID=1")]
    [InlineData("customer%49d=1")]
    [InlineData("customerId=1&customerId=2")]
    [InlineData("customerId=2&customerId=1")]
    [InlineData("customerId=2&CustomerID=1")]
    [InlineData("customerId=")]
    [InlineData("customerId=02")]
    [InlineData("customerId=2,1")]
    public async Task Another_filter_by_customer_is_refused(string query)
    {
        using var two = Customer(2);
        foreach (var list in (string[])["orders", "orders/v2", "orders/cursor"])
        {
            (await shop.Http.GetAsync($"{list}?{query}")).Dispose();
            using var answer = await two.GetAsync($"{list}?{query}");
            await answer.ShouldBeProblemAsync(HttpStatusCode.Forbidden, "access.own_only");
        }

        Owners(await two.JsonAsync("orders/v2?customerId=2&pageSize=100")).Distinct().ShouldBe([2]);
    }

    [Theory]
    [InlineData("afterId=5&sort=-amount")]
    [InlineData("afterid=5")]
    public async Task The_position_of_a_document_by_its_id_is_not_shown(string query)
    {
        using var two = Customer(2);
        using var answer = await two.GetAsync($"orders/cursor?{query}");
        await answer.ShouldBeProblemAsync(HttpStatusCode.Forbidden, "access.own_only");
    }

    [Fact]
    public async Task Pages_are_followed_to_the_end_and_a_cursor_of_another_list_is_refused()
    {
        using var two = Customer(2);
        var found = new List<int>();
        for (string? after = ""; after is not null;)
        {
            var page = await two.JsonAsync($"orders/cursor?pageSize=3{after}");
            found.AddRange(Documents.Ids(page.GetProperty("data")));
            after = page.GetProperty("nextCursor").GetString() is { } next ? $"&after={next}" : null;
        }

        found.ShouldBe(Enumerable.Range(1, Orders).Where(id => OwnerOf(id) == 2));
        foreach (var path in (string[])["orders/cursor?pageSize=3", "orders/cursor?pageSize=3&customerId=1"])
        {
            var foreign = (await shop.Http.JsonAsync(path)).GetProperty("nextCursor").GetString();
            using var answer = await two.GetAsync($"orders/cursor?pageSize=3&after={foreign}");
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        }
    }

    [Fact]
    public async Task No_response_may_be_stored_by_anyone_else()
    {
        using var two = Customer(2);
        foreach (var path in lists.Append("orders/2").Append("orders/batch?ids=2"))
        {
            using var answer = await two.GetAsync(path);
            answer.StatusCode.ShouldBe(HttpStatusCode.OK);
            answer.Headers.CacheControl.ShouldBe(new CacheControlHeaderValue { Private = true, NoStore = true });
        }
    }

    [Theory]
    [InlineData("orders/changes")]
    [InlineData("orders/stream")]
    [InlineData("orders/export/ndjson")]
    [InlineData("users")]
    [InlineData("users/v2")]
    [InlineData("users/2")]
    [InlineData("users/2/export")]
    [InlineData("users/batch?ids=2")]
    [InlineData("users/cursor")]
    [InlineData("users/changes")]
    [InlineData("users/stream")]
    [InlineData("users/export/ndjson")]
    [InlineData("metrics")]
    public async Task Everything_else_that_needs_a_key_is_closed(string path)
    {
        using var two = Customer(2);
        var separator = path.Contains('?') ? '&' : '?';
        foreach (var query in (string[])["", $"{separator}customerId=2"])
        {
            using var answer = await two.GetAsync(path + query);
            await answer.ShouldBeProblemAsync(HttpStatusCode.Forbidden, "access.scope_missing");
        }
    }

    [Fact]
    public async Task Public_documents_are_read_as_without_a_token()
    {
        using var two = Customer(2);
        foreach (var path in (string[])["products/v2", "products/7", "categories", "reviews/7", "reviews/v2?userId=2"])
            (await two.GetStringAsync(path)).ShouldBe(await shop.Http.GetStringAsync(path));
    }

    [Fact]
    public async Task A_changed_or_expired_token_or_one_of_another_key_is_refused()
    {
        var token = Token(2, TimeProvider.System);
        var otherKey = Convert.ToBase64String(new byte[32]);
        string[] all =
        [
            token[..^1], token[..20] + (token[20] == 'A' ? 'B' : 'A') + token[21..], Token(2, new ManualClock()),
            Token(2, TimeProvider.System, otherKey),
        ];
        foreach (var wrong in all)
        {
            using var http = Caller(wrong);
            foreach (var path in (string[])["orders", "orders/2", "orders/cursor"])
            {
                using var answer = await http.GetAsync(path);
                await answer.ShouldBeProblemAsync(HttpStatusCode.Unauthorized, "access.key_required");
            }
        }
    }

    [Fact]
    public async Task Without_the_setting_no_token_is_valid()
    {
        await using var off = new QueriesApp(shop.Database.Queries).With("Sessions:Key", "");
        using var http = off.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", Token(2, TimeProvider.System));

        using var answer = await http.GetAsync("orders/2");
        await answer.ShouldBeProblemAsync(HttpStatusCode.Unauthorized, "access.key_required");
    }

    private static int OwnerOf(int order) => 1 + ((order - 1) % 4);

    private static List<int> Owners(JsonElement page) =>
    [
        .. page.GetProperty("data").EnumerateArray()
            .Select(order => order.GetProperty("customer").GetProperty("id").GetInt32()),
    ];

    private static string Token(int customer, TimeProvider clock, string key = TestKeys.Sessions) =>
        new CustomerTokens(Options.Create(new SessionOptions { Key = key }), clock).Write(customer).Token;

    private HttpClient Customer(int id) => Caller(Token(id, TimeProvider.System));

    private HttpClient Caller(string token)
    {
        var http = shop.App.CreateClient();
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
        return http;
    }
}
