using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Endpoints;

/// <summary>Clients that read nothing of pages that are longer than any socket buffer.</summary>
public sealed class UnsentResponsesTests(UnsentResponsesTests.Shop shop) : IClassFixture<UnsentResponsesTests.Shop>
{
    // Pages of 2 MB each, so 4 of them in all.
    private const int Megabytes = 8;

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync()
        {
            var name = new string('x', 20_000);
            byte[] Body(int id) => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}");
            return PutAsync("products", [.. Enumerable.Range(1, 1000)], Body);
        }
    }

    [Fact]
    public async Task One_address_keeps_half_of_the_memory_and_the_last_quarter_is_for_keys()
    {
        await using var app = NewApp();
        using var http = app.CreateClient();
        var open = new List<Socket>();
        for (var page = 1; page <= 6; page++) await AddAsync(open, http, Page(page), "X-Forwarded-For: 203.0.113.7");
        open.Count.ShouldBe(2, "those of one address");
        for (var page = 3; page <= 6; page++)
            await AddAsync(open, http, Page(page), $"X-Forwarded-For: 198.51.100.{page}");
        open.Count.ShouldBe(3, "those of callers without a key");

        using (var refused = await http.GetAsync("products/v2?page=7&pageSize=100"))
        {
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "streams.busy");
            refused.Headers.RetryAfter.ShouldNotBeNull();
            refused.Headers.ETag.ShouldBeNull();
        }

        (await http.JsonAsync("products/v2?page=1&pageSize=2")).GetProperty("page").GetInt32().ShouldBe(1);
        for (var page = 7; page <= 9; page++)
            await AddAsync(open, http, Page(page), $"Authorization: Bearer {ReadShop.Key}");
        open.Count.ShouldBe(4);

        foreach (var socket in open) socket.Dispose();
        await Eventually.Holds(
            async () => (await http.GetAsync("products/v2?page=8&pageSize=100")).IsSuccessStatusCode,
            "the memory of clients that went away is free again");
        app.Failures.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(20)]
    [InlineData(1)]
    public async Task A_page_from_memory_counts_once_for_all_its_clients(int addresses)
    {
        await using var app = NewApp().WithCache();
        using var http = app.CreateClient();
        var fence = app.Services.GetRequiredService<TagFence>();
        await Eventually.Holds(() => fence.IsUpToDate, "announcements are received");
        // Longer ones are not kept.
        const string page = "/products/v2?page=1&pageSize=40";
        (await http.GetAsync(page)).EnsureSuccessStatusCode();
        var open = new List<Socket>();

        for (var i = 0; i < 20; i++) await AddAsync(open, http, page, $"X-Forwarded-For: 198.51.100.{i % addresses}");

        open.Count.ShouldBe(20);
        (await http.GetAsync("products/v2?page=2&pageSize=100")).EnsureSuccessStatusCode();
        foreach (var socket in open) socket.Dispose();
    }

    private QueriesApp NewApp() => new QueriesApp(shop.Database.Queries)
        .WithKey(0, ReadShop.Key, Scopes.OrdersRead).With("Transport:Proxies:0", "127.0.0.1")
        .With("Reading:UnsentMegabytes", Megabytes).With("Streaming:StallSeconds", 3600);

    private static string Page(int number) => $"/products/v2?page={number}&pageSize=100";

    /// <summary>Adds a client that reads no further than the status, unless it is refused.</summary>
    private static async Task AddAsync(List<Socket> open, HttpClient http, string path, string header)
    {
        if (await StalledClient.ConnectAsync(http, path, header) is { } socket) open.Add(socket);
    }
}
