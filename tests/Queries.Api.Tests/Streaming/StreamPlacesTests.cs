using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Access;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>
/// Many clients of one address, others, and callers with keys, on a table larger than any socket buffer.
/// </summary>
public sealed class StreamPlacesTests(StreamPlacesTests.Shop shop) : IClassFixture<StreamPlacesTests.Shop>
{
    private const int All = 8;
    private const int WithoutKey = 6;
    private const int OfCaller = 4;
    private const int Products = 2_000;
    private const string OtherKey = "another-reader";

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync()
        {
            var name = new string('x', 20_000);
            byte[] Body(int id) => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}");
            return PutAsync("products", [.. Enumerable.Range(1, Products)], Body);
        }
    }

    [Fact]
    public async Task One_address_has_some_places_and_the_last_places_are_kept_for_keys()
    {
        await using var app = NewApp().With("Transport:Proxies:0", "127.0.0.1");
        using var http = app.CreateClient();
        var open = new List<Socket>();
        for (var i = 0; i < 40; i++) await AddAsync(open, http, "X-Forwarded-For: 203.0.113.7");
        open.Count.ShouldBe(OfCaller, "those of one address");
        for (var i = 0; i < 40; i++) await AddAsync(open, http, $"X-Forwarded-For: 198.51.100.{i}");
        open.Count.ShouldBe(WithoutKey, "those of callers without a key");

        for (var i = 0; i < 40; i++) await AddAsync(open, http, $"Authorization: Bearer {ReadShop.Key}");
        open.Count.ShouldBe(All);
        await AddAsync(open, http, $"Authorization: Bearer {OtherKey}");
        open.Count.ShouldBe(All, "there is no other place");

        open[0].Dispose();
        await Eventually.Holds(
            async () =>
            {
                await AddAsync(open, http, "X-Forwarded-For: 192.0.2.1");
                return open.Count == All + 1;
            },
            "a place that is free again is given to the next caller, with a key or without");
        foreach (var socket in open) socket.Dispose();
    }

    [Fact]
    public async Task A_stream_that_has_begun_is_complete_although_newcomers_take_every_connection()
    {
        await using var app = NewApp().With("Streaming:Connections", 1).With("Reading:WaitSeconds", 3)
            .With("Streaming:SegmentMegabytes", 0);
        using var http = app.CreateClient();
        using var admitted = await http.GetAsync("products/stream", HttpCompletionOption.ResponseHeadersRead);
        admitted.StatusCode.ShouldBe(HttpStatusCode.OK);

        await using var locked = await shop.LockAsync("read.product_ratings");
        var newcomer = http.GetAsync("products/stream?sort=rating&limit=1");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "a newcomer has the only connection");
        using var late = await http.GetAsync("products/stream?sort=price&limit=1");
        await late.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");

        var reading = admitted.Content.ReadAsStringAsync();
        // Longer than a newcomer may wait.
        await Task.Delay(TimeSpan.FromSeconds(6));
        await locked.DisposeAsync();
        Documents.Ids(System.Text.Json.JsonElement.Parse(await reading)).Count.ShouldBe(Products);
        (await newcomer).Dispose();
    }

    private QueriesApp NewApp() => new QueriesApp(shop.Database.Queries)
        .WithKey(0, ReadShop.Key, Scopes.OrdersRead).WithKey(1, OtherKey, Scopes.OrdersRead)
        .With("Streaming:Concurrent", All).With("Streaming:ConcurrentWithoutKey", WithoutKey)
        .With("Streaming:ConcurrentOfCaller", OfCaller).With("Streaming:StallSeconds", 3600);

    /// <summary>Adds a client that reads no further than the status, unless it is refused.</summary>
    private static async Task AddAsync(List<Socket> open, HttpClient http, string header)
    {
        if (await StalledClient.ConnectAsync(http, "/products/stream", header) is { } socket) open.Add(socket);
    }
}
