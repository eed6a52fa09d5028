using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>Collections of about 20, 2.4 and 2.4 megabytes and a limit of 3, 50 or 57.</summary>
public sealed class SegmentBudgetTests(SegmentBudgetTests.Shop shop) : IClassFixture<SegmentBudgetTests.Shop>
{
    private const int Megabyte = 1024 * 1024;
    private const string Lines = "application/x-ndjson";

    public sealed class Shop : ReadShop
    {
        public const int Documents = 1200;

        protected override async Task SeedAsync()
        {
            await PutAsync("products", [.. Enumerable.Range(1, Documents)], id => Body(id, 17_000));
            await PutAsync("categories", [.. Enumerable.Range(1, Documents)], id => Body(id, 2_000));
            await PutAsync("reviews", [.. Enumerable.Range(1, Documents)], id => Body(id, 2_000));
        }
    }

    [Fact]
    public async Task A_collection_that_does_not_fit_is_sent_by_rows_and_takes_no_memory()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3);
        using var http = app.CreateClient();
        foreach (var mediaType in SegmentShop.MediaTypes)
        {
            var bytes = await SegmentShop.BytesAsync(http, "products/stream", mediaType);
            bytes.Length.ShouldBeGreaterThan(19 * Megabyte);
            Taken(app).ShouldBe(0);
        }
    }

    [Fact]
    public async Task A_collection_that_fits_alone_replaces_another()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3);
        using var http = app.CreateClient();
        foreach (var resource in (string[])["categories", "reviews", "categories", "reviews", "products", "reviews"])
        {
            var least = resource == "products" ? 0 : 2 * Megabyte;
            await ShouldBeKeptAsync(app, http, $"{resource}/stream", Shop.Documents, least);
            Taken(app).ShouldBeLessThanOrEqualTo(3 * Megabyte);
        }
    }

    [Fact]
    public async Task A_collection_that_grew_too_large_is_removed_and_cached_when_it_fits_again()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3);
        using var http = app.CreateClient();
        await SegmentShop.BytesAsync(http, "categories/stream", Lines);
        await shop.PutAsync("categories", [.. Enumerable.Range(1201, 800)], id => Body(id, 2_000));
        (await SegmentShop.BytesAsync(http, "categories/stream", Lines)).Count(one => one == '\n').ShouldBe(2000);
        await Eventually.Holds(() => Taken(app) == 0, "it is removed");
        // A process that finds this out from the first segment releases it.
        await using var other = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3);
        using var toOther = other.CreateClient();
        (await SegmentShop.BytesAsync(toOther, "categories/stream", Lines)).Count(one => one == '\n').ShouldBe(2000);
        Taken(other).ShouldBe(0);
        await shop.DeleteAsync("categories", [.. Enumerable.Range(1201, 800)]);
        await ShouldBeKeptAsync(app, http, "categories/stream", documents: 1200, least: 2 * Megabyte);
    }

    [Fact]
    public async Task A_collection_whose_documents_became_smaller_is_cached()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3)
            .WithKey(0, ReadShop.Key, Access.Scopes.UsersRead);
        using var http = app.CreateClient();
        await shop.PutAsync("users", [.. Enumerable.Range(1, Shop.Documents)], id => Body(id, 4_000));
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        for (var turn = 0; turn < 2; turn++)
        {
            await SegmentShop.BytesAsync(http, "users/stream", Lines);
            Taken(app).ShouldBe(0);
        }

        await shop.EmptyAsync("users");
        await shop.PutAsync("users", [.. Enumerable.Range(1, Shop.Documents)], id => Body(id, 400));
        await ShouldBeKeptAsync(app, http, "users/stream", Shop.Documents, least: 1);
    }

    [Fact]
    public async Task The_segments_of_a_slow_client_count_until_its_stream_has_ended()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 50);
        using var http = app.CreateClient();
        await SegmentShop.BytesAsync(http, "products/stream", Lines);
        var once = Taken(app);
        using (await StalledAsync(http))
        {
            await RaiseAsync();
            await SegmentShop.BytesAsync(http, "products/stream", Lines);
            Taken(app).ShouldBe(2 * once);

            // A third takes the memory of the second, once no stream uses that any more.
            await RaiseAsync();
            await Eventually.Holds(
                async () =>
                {
                    await SegmentShop.BytesAsync(http, "products/stream", Lines);
                    return Taken(app) == 2 * once;
                },
                "the third is kept");
        }

        await Eventually.Holds(() => Taken(app) <= once, "what the client had is given back");
        await SegmentShop.BytesAsync(http, "products/stream", Lines);
        Taken(app).ShouldBe(once);
    }

    /// <summary>Only the last segment shows that the collection does not fit.</summary>
    [Fact]
    public async Task A_collection_that_did_not_fit_is_not_read_again_by_each_stream()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3)
            .WithKey(0, ReadShop.Key, Access.Scopes.OrdersRead);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        await shop.PutAsync(
            "orders", [.. Enumerable.Range(1, Shop.Documents)], id => Body(id, id < 1000 ? 400 : 20_000));
        await SegmentShop.BytesAsync(http, "orders/stream", Lines);

        using var reads = SegmentShop.CountReads(app);
        for (var turn = 0; turn < 3; turn++) await SegmentShop.BytesAsync(http, "orders/stream", Lines);
        reads.Value.ShouldBe(0);
        Taken(app).ShouldBe(0);
    }

    /// <summary>The collection takes 19.5 megabytes; of its third set, only the last segment does not fit.</summary>
    [Fact]
    public async Task Memory_that_slow_clients_use_is_not_exceeded_and_not_tried_again_by_each_stream()
    {
        const int Most = 57;
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", Most);
        using var http = app.CreateClient();
        await SegmentShop.BytesAsync(http, "products/stream", Lines);
        var once = Taken(app);
        (3 * once).ShouldBeInRange(Most * Megabyte, (Most + 3) * Megabyte);
        using var first = await StalledAsync(http);
        await RaiseAsync();
        using var second = await StalledAsync(http);
        await RaiseAsync();

        var compared = 0;
        for (var attempt = 0; attempt < 5 && compared == 0; attempt++)
        {
            var began = Stopwatch.StartNew();
            (await SegmentShop.BytesAsync(http, "products/stream", Lines)).Count(one => one == '\n')
                .ShouldBe(Shop.Documents);
            Taken(app).ShouldBe(2 * once);

            // The memory is tried again five seconds after it was missing: only what is sent before shows that a
            // stream does not try it.
            using var reads = SegmentShop.CountReads(app);
            for (var turn = 0; turn < 3 && began.Elapsed < TimeSpan.FromSeconds(4); turn++)
            {
                await SegmentShop.BytesAsync(http, "products/stream", Lines);
                if (began.Elapsed > TimeSpan.FromSeconds(4)) break;
                reads.Value.ShouldBe(0);
                compared++;
            }

            if (compared == 0) await Task.Delay(TimeSpan.FromSeconds(6));
        }

        compared.ShouldBeGreaterThan(0, "a stream ended in time");
    }

    [Fact]
    public async Task Segments_that_were_replaced_leave_their_memory_to_the_new_ones()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 3);
        using var http = app.CreateClient();
        await SegmentShop.BytesAsync(http, "categories/stream", Lines);
        await shop.ExecuteAsync("UPDATE read.segments SET version = version + 1 WHERE kind = 'categories'");

        await SegmentShop.BytesAsync(http, "categories/stream", Lines);
        Taken(app).ShouldBeGreaterThan(2 * Megabyte);
    }

    /// <summary>One segment has most of the bytes, and is the one that changes.</summary>
    [Fact]
    public async Task A_collection_that_fits_stays_in_memory_whichever_segment_changes()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 4)
            .WithKey(0, ReadShop.Key, Access.Scopes.UsersRead);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        await shop.EmptyAsync("users");
        await shop.PutAsync(
            "users", [.. Enumerable.Range(1, 10_000)], id => Body(id, id is >= 1500 and < 2000 ? 4_000 : 40));
        await SegmentShop.BytesAsync(http, "users/stream", Lines);

        using var reads = SegmentShop.CountReads(app);
        for (var turn = 1; turn <= 5; turn++)
        {
            await shop.ExecuteAsync(
                "UPDATE read.segments SET version = version + 1 WHERE kind = 'users' AND segment = 3");
            await SegmentShop.BytesAsync(http, "users/stream", Lines);
            reads.Value.ShouldBe(turn);
        }
    }

    /// <summary>
    /// A collection that was too large is looked at again after a second; memory that was missing is tried again after
    /// five.
    /// </summary>
    private static Task ShouldBeKeptAsync(QueriesApp app, HttpClient http, string path, int documents, int least) =>
        Eventually.Holds(
            async () =>
            {
                var lines = await SegmentShop.BytesAsync(http, path, Lines);
                lines.Count(one => one == '\n').ShouldBe(documents);
                return Taken(app) >= least;
            },
            "a collection that fits is kept");

    private static long Taken(QueriesApp app) => app.Services.GetRequiredService<SegmentStream>().Budget.Taken;

    private Task RaiseAsync() =>
        shop.ExecuteAsync("UPDATE read.segments SET version = version + 1 WHERE kind = 'products'");

    /// <summary>A client that requested the stream, received its first byte and reads no further.</summary>
    private static async Task<Socket> StalledAsync(HttpClient http)
    {
        var socket = new Socket(
            AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        await socket.ConnectAsync(IPAddress.Loopback, http.BaseAddress!.Port);
        await socket.SendAsync("GET /products/stream HTTP/1.1\r\nHost: shop\r\n\r\n"u8.ToArray());
        await socket.ReceiveAsync(new byte[1]);
        return socket;
    }

    private static byte[] Body(int id, int length) =>
        Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{new string('x', length)}\"}}");
}
