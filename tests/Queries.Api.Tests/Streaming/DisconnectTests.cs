using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>Clients that disconnect at any time, on a pool with one connection for all streams.</summary>
public sealed class DisconnectTests(DisconnectTests.Shop shop) : IClassFixture<DisconnectTests.Shop>
{
    private const int Clients = 8;
    private const int TimesEach = 15;
    private const int Documents = 500;

    public sealed class Shop : ReadShop
    {
        private static readonly string name = new('x', 20_000);

        protected override Task SeedAsync() =>
            PutAsync(
                "products",
                [.. Enumerable.Range(1, Documents)],
                id => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}"));

        private protected override QueriesApp Configure(QueriesApp queries) =>
            queries.With("Streaming:Concurrent", 4 * Clients).With("Streaming:ConcurrentOfCaller", 4 * Clients)
                .With("Streaming:Connections", 1).With("Reading:WaitSeconds", 60)
                .With("Streaming:SegmentMegabytes", 0);
    }

    [Theory]
    [InlineData("stream")]
    [InlineData("export/ndjson")]
    public async Task Whenever_clients_disconnect_the_only_connection_is_free_for_the_next_one(string form)
    {
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(seed => HangUpAsync(form, new Random(seed))));

        (await shop.Http.GetByteArrayAsync($"products/{form}")).Length.ShouldBeGreaterThan(Documents * 20_000);
        await Eventually.Holds(async () => await BusyAsync() == 0, "no session goes on for a client that is gone");
        shop.App.Failures.ShouldBeEmpty("a client that disconnects is nothing to report");
    }

    [Fact]
    public async Task A_long_statement_is_cancelled_after_its_client_disconnects()
    {
        await using var locker = await shop.LockAsync("read.products");
        var socket = await AskAsync("stream");
        await Eventually.Holds(async () => await BusyAsync() == 1, "the stream waits for the table");
        socket.Dispose();
        await Eventually.Holds(async () => await BusyAsync() == 0, "it waits no more", TimeSpan.FromSeconds(20));
    }

    [Fact]
    public async Task A_short_statement_is_not_cancelled()
    {
        var streams = shop.App.Services.GetRequiredService<StreamDatabase>().Scans.Source;
        var reader = new ChunkReader(_ => streams) { CancellationDelay = TimeSpan.FromMinutes(5) };
        var list = ListQuery.From(ReadModel.All[0], new QueryParameters(new QueryCollection()));
        using var hangUp = new CancellationTokenSource();
        using var chunk = new PooledBuffer(1024);

        var locker = await shop.LockAsync("read.products");
        var reading = reader.ChunkAsync(list, ScanStart.Beginning, 10, int.MaxValue, (byte)'\n', chunk, hangUp.Token);
        await Eventually.Holds(async () => await BusyAsync() == 1, "the chunk waits for the table");
        await hangUp.CancelAsync();
        await locker.DisposeAsync();

        (await reading).Count.ShouldBe(10);
    }

    private async Task HangUpAsync(string form, Random chance)
    {
        var buffer = new byte[256 * 1024];
        for (var i = 0; i < TimesEach; i++)
        {
            using var socket = await AskAsync(form);
            // Reset without a linger, otherwise closed normally.
            if (chance.Next(2) == 0) socket.LingerState = new LingerOption(true, 0);
            var left = chance.Next(4) switch { 0 => 0, 1 => chance.Next(2000), _ => chance.Next(4_000_000) };
            while (left > 0)
            {
                var count = await socket.ReceiveAsync(buffer.AsMemory(0, Math.Min(left, buffer.Length)));
                count.ShouldBeGreaterThan(0);
                left -= count;
            }
        }
    }

    private async Task<Socket> AskAsync(string form)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, shop.Http.BaseAddress!.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET /products/{form} HTTP/1.1\r\nHost: shop\r\n\r\n"));
        return socket;
    }

    private async Task<long> BusyAsync()
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'apexshop-queries-streams' AND state <> 'idle'
            """,
            connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }
}
