using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>Clients that do not read, or disconnect, on a table larger than any socket buffer.</summary>
public sealed class SlowClientTests(SlowClientTests.Shop shop) : IClassFixture<SlowClientTests.Shop>
{
    private const int StreamBroken = 6001;

    public sealed class Shop : ReadShop
    {
        public const int Streams = 6;

        protected override Task SeedAsync()
        {
            var name = new string('x', 20_000);
            byte[] Body(int id) => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}");
            return PutAsync("products", [.. Enumerable.Range(1, 3000)], Body);
        }

        private protected override QueriesApp Configure(QueriesApp queries) =>
            queries.With("Streaming:Concurrent", Streams).With("Streaming:Connections", 1)
                .With("Streaming:StallSeconds", 3600).With("Streaming:SegmentMegabytes", 0);
    }

    [Fact]
    public async Task Clients_that_do_not_read_occupy_a_permit_each_and_no_connection()
    {
        var stalled = new List<Socket>();
        for (var i = 0; i < Shop.Streams - 1; i++) stalled.Add(await StalledAsync(shop.Http));

        await Eventually.Holds(async () => await ReadingAsync() == 0, "no stalled stream keeps its connection");
        Documents.Ids(await shop.Http.JsonAsync("products/stream?limit=300")).Count.ShouldBe(300);
        (await shop.Http.JsonAsync("products/v2?pageSize=1")).GetProperty("page").GetInt32().ShouldBe(1);

        stalled.Add(await StalledAsync(shop.Http));
        using (var refused = await shop.Http.GetAsync("products/stream"))
        {
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "streams.busy");
            refused.Headers.RetryAfter.ShouldNotBeNull();
        }

        stalled.ForEach(socket => socket.Dispose());
        await Eventually.Holds(
            async () => (await shop.Http.GetAsync("products/stream?limit=1")).IsSuccessStatusCode,
            "a client that went away gives its place back");
        shop.App.Failures.ShouldBeEmpty("a client that goes away is nothing to report");
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("application/x-ndjson")]
    [InlineData("application/x-msgpack")]
    public async Task A_stream_that_fails_is_aborted_and_logged_and_never_completed(string accept)
    {
        using var request = new HttpRequestMessage(
            HttpMethod.Get, "products/stream") { Headers = { { "Accept", accept } } };
        using var answer = await shop.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        await shop.ExecuteAsync("ALTER TABLE read.products RENAME TO away");
        try
        {
            await Should.ThrowAsync<HttpRequestException>(() => answer.Content.CopyToAsync(Stream.Null));
            shop.App.Logged.ShouldContain(StreamBroken);
        }
        finally
        {
            await shop.ExecuteAsync("ALTER TABLE read.away RENAME TO products");
            shop.App.Logged.Clear();
        }
    }

    [Fact]
    public async Task A_client_that_reads_too_slowly_loses_its_permit()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .With("Streaming:Concurrent", 1).With("Streaming:StallSeconds", 8)
                .With("Streaming:SlowestBytesPerSecond", 1_000_000);
        using var http = app.CreateClient();
        using var stalled = await StalledAsync(http);
        (await http.GetAsync("products/stream?limit=1")).StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);

        await Eventually.Holds(async () =>
            (await http.GetAsync("products/stream?limit=1")).IsSuccessStatusCode, "another client has its place");
        app.Failures.ShouldBeEmpty();
    }

    [Fact]
    public async Task The_kernel_takes_little_for_a_client_that_does_not_read()
    {
        using var stalled = await StalledAsync(shop.Http);
        await Eventually.Holds(async () => await ReadingAsync() == 0, "the stream waits for its client");

        UnsentTo(stalled).ShouldBeInRange(1, 256 * 1024);
    }

    [Fact]
    public async Task Fifty_slow_downloads_do_not_block_pages()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .With("Reading:Connections", 2).With("Streaming:Connections", 2).With("Streaming:ConcurrentOfCaller", 64)
            .With("Streaming:ConcurrentWithoutKey", 64)
            .With("Streaming:StallSeconds", 3600).With("Streaming:SegmentMegabytes", 0);
        using var http = app.CreateClient();
        using var stop = new CancellationTokenSource();
        var downloads = Enumerable.Range(0, 50)
            .Select(async _ => await TrickleAsync(await StalledAsync(http), stop.Token)).ToList();

        for (var page = 1; page <= 40; page++)
        {
            var answers = await Task.WhenAll(
                Enumerable.Range(0, 5).Select(i => http.GetAsync($"products/v2?page={page}&pageSize={i + 1}")));
            answers.ShouldAllBe(answer => answer.StatusCode == HttpStatusCode.OK);
        }

        downloads.ShouldAllBe(download => !download.IsCompleted);
        await stop.CancelAsync();
        await Task.WhenAll(downloads);
        app.Failures.ShouldBeEmpty();
    }

    private static async Task TrickleAsync(Socket socket, CancellationToken ct)
    {
        using (socket)
        {
            var buffer = new byte[4096];
            while (!ct.IsCancellationRequested)
            {
                (await socket.ReceiveAsync(buffer)).ShouldBeGreaterThan(0);
                await Task.Delay(50, CancellationToken.None);
            }
        }
    }

    /// <summary>A client that requested the stream, received its status and reads no further.</summary>
    private static async Task<Socket> StalledAsync(HttpClient http)
    {
        Socket? stalled = null;
        // A stream gives its place back only after its client has the last byte.
        await Eventually.Holds(
            async () => (stalled = await StalledClient.ConnectAsync(http, "/products/stream")) is not null,
            "there is a place");
        return stalled!;
    }

    // The server's bytes that this client's kernel has not taken.
    private static int UnsentTo(Socket client)
    {
        var (server, own) = (PortOf(client.RemoteEndPoint), PortOf(client.LocalEndPoint));
        var connection = File.ReadLines("/proc/net/tcp").Skip(1)
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Single(fields => fields[1].EndsWith(server, StringComparison.Ordinal)
                && fields[2].EndsWith(own, StringComparison.Ordinal));
        return Convert.ToInt32(connection[4].Split(':')[0], 16);

        static string PortOf(EndPoint? end) => $":{((IPEndPoint)end!).Port:X4}";
    }

    private async Task<long> ReadingAsync()
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'queries' AND state <> 'idle'
            """,
            connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }
}
