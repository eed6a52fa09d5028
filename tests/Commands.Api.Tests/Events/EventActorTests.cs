using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>Every event names the API key that made the change, and the trace of its request.</summary>
public sealed class EventActorTests(LogShop shop) : IClassFixture<LogShop>
{
    private const string Trace = "0af7651916cd43dd8448eb211c80319c";

    [Fact]
    public async Task The_log_and_the_feed_have_the_name_of_the_key_and_the_trace_id()
    {
        using var http = shop.App.ClientWith(Scopes.CatalogWrite);
        http.DefaultRequestHeaders.Add("traceparent", $"00-{Trace}-b7ad6b7169203331-01");
        using (await http.PostAsync("/categories", JsonContent.Create(new { name = "Lights" }))) { }
        await shop.FillAsync(1, 1);

        await using var connection = new NpgsqlConnection(shop.App.Database.Commands);
        await connection.OpenAsync();
        var entries = await new LeaderConnection(connection).ReadAsync(0, 1_000, CancellationToken.None);
        entries.Single(entry => entry.CorrelationId == Trace).Actor.ShouldBe(Scopes.CatalogWrite);
        var lines = (await shop.App.Http.GetStringAsync("/events")).TrimEnd().Split('\n');
        var members = JsonDocument.Parse(lines.Single(line => line.Contains(Trace, StringComparison.Ordinal)))
            .RootElement;
        members.GetProperty("actor").GetString().ShouldBe(Scopes.CatalogWrite);
        members.GetProperty("correlationid").GetString().ShouldBe(Trace);
    }

    [Fact]
    public async Task Events_that_need_no_read_scope_do_not_show_which_customer_caused_them()
    {
        var (user, product) = (await shop.App.UserAsync(), await shop.App.ProductAsync());
        using var customer = await shop.App.CustomerAsync(user);
        using var placed = await customer.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(user, (product, 1)));
        await LogShop.SequenceAsync(shop.App);

        using var follower = shop.App.ClientWith(Scopes.EventsRead);
        var body = await follower.GetStringAsync($"/events?aggregate=products/{product}");
        var orders = (await shop.ReadAsync("/events?types=apexshop.order.placed")).Events;

        var events = body.TrimEnd().Split('\n').Select(line => CloudEvents.Read(Encoding.UTF8.GetBytes(line))).ToList();
        events.Select(one => (one.Type, one.Actor)).ShouldBe(
            [(EventTypes.ProductCreated, CommandsApp.Key), (EventTypes.ProductStockChanged, "customer")]);
        body.ShouldNotContain($"users/{user}");
        orders.ShouldContain(one => one.Actor == $"users/{user}");
    }

    [Fact]
    public async Task Every_way_to_write_an_event_names_the_key()
    {
        var app = shop.App;
        var before = await app.ScalarAsync<long>("SELECT coalesce(max(id), 0) FROM shop.outbox");
        var category = await app.CategoryAsync();
        var (product, user) = (await app.ProductAsync(), await app.UserAsync());
        await app.OrderOfAsync(user, (product, 1));
        await app.PostAsync("/products/bulk", new[] { ShopBuilder.ProductBody(category) });
        await app.SendAsync(HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category, stock = 3 });
        await app.PutAsync(
            "/products/bulk",
            new[] { new { id = product, name = "Lamp", price = 1, categoryId = category } });
        await app.DeleteAsync($"/products/{await app.ProductAsync()}");

        (await app.ScalarAsync<long>($"SELECT count(DISTINCT type) FROM shop.outbox WHERE id > {before}"))
            .ShouldBeGreaterThanOrEqualTo(7);
        (await app.ScalarAsync<long>(
            $"SELECT count(*) FROM shop.outbox WHERE id > {before} AND actor IS DISTINCT FROM '{CommandsApp.Key}'"))
            .ShouldBe(0);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(Scopes.UsersRead)]
    public async Task A_login_names_the_customer_also_if_the_request_has_a_key(string? scope)
    {
        var app = shop.App;
        var user = await app.UserAsync();
        var email = await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {user}");
        using var http = app.ClientWith(scope);
        (await http.PostAsJsonAsync("/sessions", new { email, password = "correct horse" }))
            .EnsureSuccessStatusCode();

        (await app.ScalarAsync<string>(
            $"SELECT actor FROM shop.outbox WHERE resource = 'users' AND aggregate_id = {user} AND version = 2"))
            .ShouldBe($"users/{user}");
    }

    [Fact]
    public async Task The_events_of_an_expired_order_have_a_trace_id_of_their_own()
    {
        var app = shop.App;
        int[] products = [await app.ProductAsync(), await app.ProductAsync()];
        int[] orders = [await app.OrderAsync((products[0], 1)), await app.OrderAsync((products[1], 1))];
        await app.ScalarAsync<object>(
            $"UPDATE shop.orders SET expires_at = now() WHERE id IN ({orders[0]}, {orders[1]})");

        await using var process = CommandsApp.Start(app.Database.Commands, ("Orders:ExpiryInterval", "00:00:00.010"));
        process.StartServer();
        await Eventually.Holds(
            async () => await app.CountAsync("orders", "expires_at <= now() AND status = 'Pending'") == 0,
            "the orders are cancelled");

        var traces = new List<string?>();
        for (var i = 0; i < orders.Length; i++)
        {
            var own = $"(resource, aggregate_id) IN (('orders', {orders[i]}), ('products', {products[i]}))";
            traces.Add(await app.ScalarAsync<string>(
                $"""
                SELECT min(substr(trace_parent, 4, 32)) FROM shop.outbox WHERE actor = 'apexshop' AND {own}
                HAVING count(*) = 2 AND count(trace_parent) = 2 AND count(DISTINCT trace_parent) = 1
                """));
        }

        traces.Distinct().OfType<string>().Count().ShouldBe(2);
    }
}
