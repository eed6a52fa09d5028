using System.Net;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Queries.Api.Tests.Limits;

/// <summary>An address without a key that sends many long searches, or deep pages. A lock makes them long.</summary>
public sealed class SearchPlacesTests(SearchPlacesTests.Shop shop) : IClassFixture<SearchPlacesTests.Shop>
{
    private const int Connections = 4;

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() => PutAsync("products", [.. Enumerable.Range(1, 1000)]);

        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .With("Reading:SearchConnections", Connections).With("Reading:WalkConnections", Connections)
            .With("Streaming:SearchConnections", Connections).With("Reading:DeepPageConnections", Connections)
            .With("Reading:SearchSeconds", 30).With("Reading:WaitSeconds", 3);
    }

    [Theory]
    [InlineData("products/cursor?q=chair&pageSize={0}", "products/cursor?q=table", Connections / 2)]
    [InlineData("products/v2?q=chair&pageSize={0}&categoryId={0}", "products/v2?q=table", Connections / 2)]
    [InlineData("products/facets?q=chair{0}", "products/cursor?q=table", 1)]
    [InlineData(
        "products/facets?q=chair{0} products/cursor?q=chair&pageSize={0}", "products/cursor?q=table", Connections / 2)]
    [InlineData("products/suggest?q=chair+t%C3%B6", "products/cursor?q=table", Connections / 2)]
    [InlineData("products/stream?q=chair&limit={0}", "products/stream?q=table", Connections / 2)]
    [InlineData(
        "products/v2?sort=price&pageSize=50&page=1{0}", "products/v2?sort=-price&page=40",
        Connections / 2, "read.products")]
    public async Task It_takes_no_more_than_its_share_of_the_connections(
        string search, string other, int share, string table = "read.product_words")
    {
        using var stranger = shop.App.CreateClient();
        // Equal searches would wait for one count; with a price, a walk would be a search.
        var parameter = other.Contains("q=", StringComparison.Ordinal) ? "minPrice" : "pageSize";
        await shop.OpenTogetherAsync(
            shop.Http, table, [.. Enumerable.Range(1, Connections).Select(number => $"{other}&{parameter}={number}")]);
        await using var locked = await shop.LockAsync(table);

        Task<HttpResponseMessage>[] searches =
            [.. Enumerable.Range(1, 8).Select(number => stranger.GetAsync(Format(search, number)))];
        await Eventually.Holds(async () => await shop.WaitingAsync() == share, "its share is in use");
        var keyed = shop.Http.GetAsync(other);
        await Eventually.Holds(async () => await shop.WaitingAsync() == share + 1, "the other caller has a connection");

        // The others have waited in vain.
        foreach (var refused in await Task.WhenAll(await FirstAsync(searches, searches.Length - share)))
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "search.busy");
        (await shop.WaitingAsync()).ShouldBe(share + 1);

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll([.. searches.Where(one => !one.IsCompleted), keyed]))
            one.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Its_walks_share_round_trips_with_those_of_others_and_have_places_for_all_connections_but_one()
    {
        const int places = (Connections - 1) * PageLoader.MostWalks;
        using var stranger = shop.App.CreateClient();
        await OpenWalksAsync();
        await using var locked = await shop.LockAsync("read.product_ratings");

        Task<HttpResponseMessage>[] walks =
        [
            .. Enumerable.Range(1, places + 6).Select(number => stranger.GetAsync(
                $"products/cursor?sort=rating&inStock=true&pageSize={number}")),
        ];
        foreach (var refused in await Task.WhenAll(await FirstAsync(walks, walks.Length - places)))
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "search.busy");
        var keyed = shop.Http.GetAsync("products/cursor?sort=rating&isActive=true");
        await Eventually.Holds(
            async () => await shop.WaitingAsync() is Connections - 1 or Connections, "walks share round trips");

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll([.. walks.Where(one => !one.IsCompleted), keyed]))
            one.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Streams_of_searches_do_not_delay_those_of_walks()
    {
        await using var locked = await shop.LockAsync("read.product_words");
        Task<HttpResponseMessage>[] searches =
        [
            .. Enumerable.Range(1, Connections + 2)
                .Select(limit => shop.Http.GetAsync($"products/stream?q=chair&limit={limit}")),
        ];
        await Eventually.Holds(async () => await shop.WaitingAsync() == Connections, "all connections are in use");

        (await shop.Http.GetAsync("products/stream?isActive=true&limit=2")).StatusCode.ShouldBe(HttpStatusCode.OK);

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll(searches)) one.Dispose();
    }

    [Fact]
    public async Task When_200_requests_of_an_address_wait_a_further_one_is_refused_at_once()
    {
        using var places = new SearchPlaces(1);
        using var taken = await TakeAsync();
        Task<IDisposable>[] waiting = [.. Enumerable.Range(1, 200).Select(_ => TakeAsync())];

        await Should.ThrowAsync<SearchBusyException>(() => TakeAsync().WaitAsync(TimeSpan.FromSeconds(30)));
        waiting.ShouldAllBe(one => !one.IsCompleted);

        taken.Dispose();
        foreach (var one in waiting) (await one).Dispose();

        Task<IDisposable> TakeAsync() => places.TakeAsync(
            new DefaultHttpContext(), ReadModel.All[0], Timeout.InfiniteTimeSpan, CancellationToken.None);
    }

    // One after the other: together they would share a round trip. A first connection may take longer than a test.
    private async Task OpenWalksAsync()
    {
        await using var locked = await shop.LockAsync("read.product_ratings");
        var walks = new List<Task<HttpResponseMessage>>();
        while (walks.Count < Connections)
        {
            walks.Add(shop.Http.GetAsync($"products/cursor?sort=rating&isActive=true&pageSize={walks.Count + 1}"));
            await Eventually.Holds(async () => await shop.WaitingAsync() == walks.Count, "it has a connection");
        }

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll(walks)) one.Dispose();
    }

    // One of the paths, in turn.
    private static string Format(string paths, int number)
    {
        var each = paths.Split(' ');
        return each[number % each.Length].Replace("{0}", $"{number}", StringComparison.Ordinal);
    }

    private static async Task<List<Task<HttpResponseMessage>>> FirstAsync(
        IEnumerable<Task<HttpResponseMessage>> requests, int count)
    {
        var ended = new List<Task<HttpResponseMessage>>();
        await foreach (var request in Task.WhenEach(requests))
        {
            ended.Add(request);
            if (ended.Count == count) break;
        }

        return ended;
    }
}
