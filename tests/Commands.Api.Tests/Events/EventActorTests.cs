using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Outbox;
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
        var entries = await EventLog.ReadAsync(connection, 0, 1_000, CancellationToken.None);
        entries.Single(entry => entry.CorrelationId == Trace).Actor.ShouldBe(Scopes.CatalogWrite);
        var lines = (await shop.App.Http.GetStringAsync("/events")).TrimEnd().Split('\n');
        var members = JsonDocument.Parse(lines.Single(line => line.Contains(Trace, StringComparison.Ordinal)))
            .RootElement;
        members.GetProperty("actor").GetString().ShouldBe(Scopes.CatalogWrite);
        members.GetProperty("correlationid").GetString().ShouldBe(Trace);
    }

    [Fact]
    public async Task Every_way_to_write_an_event_names_the_key()
    {
        var app = shop.App;
        var category = await app.CategoryAsync();
        var (product, user) = (await app.ProductAsync(), await app.UserAsync());
        await app.OrderOfAsync(user, (product, 1));
        await app.PostAsync("/products/bulk", new[] { ShopBuilder.ProductBody(category) });
        await app.SendAsync(HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category, stock = 3 });
        await app.PutAsync(
            "/products/bulk",
            new[] { new { id = product, name = "Lamp", price = 1, categoryId = category } });
        await app.DeleteAsync($"/products/{await app.ProductAsync()}");

        (await app.ScalarAsync<long>("SELECT count(DISTINCT type) FROM shop.outbox")).ShouldBeGreaterThanOrEqualTo(7);
        (await app.ScalarAsync<long>(
            $"SELECT count(*) FROM shop.outbox WHERE actor IS DISTINCT FROM '{CommandsApp.Key}'")).ShouldBe(0);
    }
}
