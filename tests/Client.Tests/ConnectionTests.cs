using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>A command for which no connection was made was not executed.</summary>
[Collection(ClientShop.Suite)]
public sealed class ConnectionTests(ClientShop running) : IDisposable
{
    private readonly CountedAttempts attempts = new();

    public void Dispose() => attempts.Dispose();

    [Theory]
    [InlineData("127.0.0.1", HttpRequestError.ConnectionError)]
    [InlineData("255.255.255.255", HttpRequestError.ConnectionError)]
    [InlineData("missing.invalid", HttpRequestError.NameResolutionError)]
    public async Task It_is_repeated_without_a_key(string host, HttpRequestError reason)
    {
        using var client = Open(new Uri($"http://{host}:{Loopback.FreePort()}"));
        var lost = await Should.ThrowAsync<HttpRequestException>(() => client.Products.DeleteAsync(1));

        lost.HttpRequestError.ShouldBe(reason);
        attempts.Count.ShouldBe(2);
    }

    [Fact]
    public async Task It_is_repeated_when_the_connection_was_reset_immediately()
    {
        attempts.InnerHandler = ResetConnections.Handler();
        using var client = Open(running.Shop.Commands.Url);

        await Should.ThrowAsync<HttpRequestException>(() => client.Products.DeleteAsync(1));

        attempts.Count.ShouldBe(2);
    }

    [Fact]
    public async Task A_command_whose_connection_ends_is_not_repeated()
    {
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        using var client = Open(commands.Url);
        var (category, products) = await running.StockAsync(client);
        attempts.Count = 0;
        commands.Cut();

        var lost = await Should.ThrowAsync<HttpRequestException>(
            () => client.Products.ReplaceAsync(products[0], new("Lantern", 5, category)));

        lost.HttpRequestError.ShouldNotBe(HttpRequestError.ConnectionError);
        attempts.Count.ShouldBe(1);
    }

    [Fact]
    public async Task A_deletion_whose_connection_is_closed_is_sent_once()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var received = new ConcurrentQueue<string>();
        _ = CloseAsync(listener, received);
        using var client = Open(new Uri($"http://{listener.LocalEndpoint}"));

        await Should.ThrowAsync<HttpRequestException>(() => client.Products.DeleteAsync(1));
        received.ShouldBe(["DELETE /products/1 HTTP/1.1"]);
    }

    // Ends each connection after a request, in order and without a response.
    private static async Task CloseAsync(TcpListener listener, ConcurrentQueue<string> received)
    {
        while (true)
        {
            using var connection = await listener.AcceptTcpClientAsync();
            using var reader = new StreamReader(connection.GetStream());
            received.Enqueue(await reader.ReadLineAsync() ?? "");
            while (await reader.ReadLineAsync() is { Length: > 0 }) { }
        }
    }

    private ShopClient Open(Uri commands) => new(
        new HttpClient(attempts, disposeHandler: false), running.Options() with { Commands = commands, Retries = 1 });

    private sealed class CountedAttempts() : DelegatingHandler(new SocketsHttpHandler())
    {
        public int Count { get; set; }

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken ct)
        {
            Count++;
            return base.SendAsync(request, ct);
        }
    }
}
