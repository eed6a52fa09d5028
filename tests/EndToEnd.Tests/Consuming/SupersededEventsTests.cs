using System.Net.Http.Json;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Consuming;

/// <summary>A log in which a long run of events is replaced by later ones.</summary>
public sealed class SupersededEventsTests(SupersededEventsTests.Running running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<SupersededEventsTests.Running>
{
    private const int Products = 500;
    private const int Changes = 30;

    public sealed class Running : IAsyncLifetime
    {
        public Shop Shop { get; private set; } = null!;

        public async Task InitializeAsync() => Shop = await Shop.StartAsync(settings: new Dictionary<string, string>
        {
            ["Events__Heartbeat"] = "00:00:00.010",
        });

        public async Task DisposeAsync() => await Shop.DisposeAsync();
    }

    [Fact]
    public async Task A_consumer_skips_the_empty_lines_that_the_log_sends_instead_of_them()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lamps"));
        var http = Shop.Commands.Http;
        using var created = await http.PostAsJsonAsync(
            "/products/bulk", Enumerable.Range(1, Products).Select(i => Bodies.Product(category.Id, $"Lamp {i}")));
        created.EnsureSuccessStatusCode();
        for (var i = 0; i < Changes; i++)
        {
            using var changed = await http.PatchAsJsonAsync(
                "/products/bulk-update-stock", new { categoryId = category.Id, delta = 1 });
            changed.EnsureSuccessStatusCode();
        }

        await State.ProjectedAsync();
        (await http.GetStringAsync("/events?compacted=true&resource=products")).ShouldStartWith("\n");
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();

        await Eventually.Holds(
            async () => (await consumer.RowsAsync("SELECT count(*) FROM stock WHERE writes = 1")) is [var count]
                && count == $"{Products}",
            "each product has one event");
        // The rows are written before the end of the log is known.
        await Eventually.Holds(() => !consumer.Reports.IsEmpty, "it is at the end of the log");
        consumer.Reports.ShouldBe(["At the end of the log; taking messages."]);
    }
}
