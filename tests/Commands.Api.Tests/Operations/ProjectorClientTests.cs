using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Operations;

/// <summary>A Projector that ends while it responds, or does not respond.</summary>
public sealed class ProjectorClientTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Begun =
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n";

    private const string Unavailable = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

    private static string Whole => "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

    [Theory]
    [InlineData("GET", "/admin/projection")]
    [InlineData("POST", "/admin/projections/rebuild")]
    public async Task A_connection_that_ends_before_the_response_is_503(string method, string path)
    {
        using var projector = new Responder("");
        using var api = CommandsApp.Start(app.Database.Commands, ("Projector:Urls:0", projector.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await http.SendAsync(request);

        (await Answer.ReadAsync(response))
            .ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "projector.unavailable");
    }

    [Theory]
    [InlineData("", "GET", "/admin/projection", HttpStatusCode.OK)]
    [InlineData("", "POST", "/admin/projections/rebuild", HttpStatusCode.ServiceUnavailable)]
    [InlineData(Unavailable, "GET", "/admin/projection", HttpStatusCode.OK)]
    [InlineData(Unavailable, "POST", "/admin/projections/rebuild", HttpStatusCode.ServiceUnavailable)]
    public async Task Only_a_request_that_changes_nothing_is_sent_to_another_Projector(
        string answer, string method, string path, HttpStatusCode expected)
    {
        using var ending = new Responder(answer);
        using var other = new Responder(Whole);
        using var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", ending.Url), ("Projector:Urls:1", other.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await http.SendAsync(request);

        response.StatusCode.ShouldBe(expected);
    }

    [Theory]
    [InlineData("502 Bad Gateway")]
    [InlineData("503 Service Unavailable")]
    [InlineData("504 Gateway Timeout")]
    public async Task A_read_that_no_Projector_can_serve_gets_the_response_of_the_last(string status)
    {
        using var unavailable = new Responder(Refusal(status, 1));
        using var last = new Responder(Refusal(status, 7));
        using var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", unavailable.Url), ("Projector:Urls:1", last.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var response = await http.GetAsync("/admin/projection");

        ((int)response.StatusCode).ShouldBe(int.Parse(status[..3], CultureInfo.InvariantCulture));
        response.Headers.RetryAfter!.Delta.ShouldBe(TimeSpan.FromSeconds(7));
    }

    [Fact]
    public async Task A_change_is_sent_to_the_next_Projector_when_the_name_of_the_first_has_no_address()
    {
        using var other = new Responder(Whole);
        using var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", "http://missing.invalid"), ("Projector:Urls:1", other.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var response = await http.PostAsync("/admin/parked/replay", null);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_change_is_sent_to_the_next_Projector_when_the_first_does_not_accept_its_connection()
    {
        using var full = new FullBacklog();
        using var other = new Responder(Whole);
        using var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", full.Url), ("Projector:Urls:1", other.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var response = await http.PostAsync("/admin/parked/replay", null);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_refusal_names_its_scheme_and_no_cache_stores_it()
    {
        using var projector = new Responder(
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n");
        using var api = CommandsApp.Start(app.Database.Commands, ("Projector:Urls:0", projector.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var response = await http.GetAsync("/admin/parked/orders/1");

        response.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        response.Headers.WwwAuthenticate.ToString().ShouldBe("Bearer");
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
    }

    [Fact]
    public async Task A_Projector_that_hangs_does_not_keep_the_next_one_from_responding_to_a_read()
    {
        // It accepts connections and never responds.
        using var hanging = new TcpListener(IPAddress.Loopback, 0);
        hanging.Start();
        using var other = new Responder(Whole);
        using var api = CommandsApp.Start(
            app.Database.Commands,
            ("Projector:Urls:0", $"http://{hanging.LocalEndpoint}"),
            ("Projector:Urls:1", other.Url),
            ("Projector:ReadSeconds", "5"));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var response = await http.GetAsync(new Uri("/admin/projection", UriKind.Relative));

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_response_that_breaks_off_breaks_off_for_the_client_too()
    {
        using var projector = new Responder(Begun);
        using var api = CommandsApp.Start(app.Database.Commands, ("Projector:Urls:0", projector.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        // The reset of the connection may arrive before the client has read the status.
        await Should.ThrowAsync<HttpRequestException>(async () =>
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, "/admin/audit");
            using var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
            response.StatusCode.ShouldBe(HttpStatusCode.OK);
            await response.Content.ReadAsStringAsync();
        });
    }

    private static string Refusal(string status, int retryAfter) =>
        $"HTTP/1.1 {status}\r\nRetry-After: {retryAfter}\r\nContent-Length: 0\r\n\r\n";

    /// <summary>A server that accepts no connection: further packets to it are dropped.</summary>
    private sealed class FullBacklog : IDisposable
    {
        private readonly TcpListener listener = new(IPAddress.Loopback, 0);
        private readonly List<Socket> waiting = [];

        public FullBacklog()
        {
            listener.Start(backlog: 1);
            for (var client = 0; client < 4; client++)
            {
                waiting.Add(new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
                _ = waiting[^1].ConnectAsync(listener.LocalEndpoint);
            }
        }

        public string Url => $"http://{listener.LocalEndpoint}";

        public void Dispose()
        {
            waiting.ForEach(client => client.Dispose());
            listener.Dispose();
        }
    }

    /// <summary>Sends a text in response to each request, and closes the connection.</summary>
    private sealed class Responder : IDisposable
    {
        private readonly TcpListener listener = new(IPAddress.Loopback, 0);
        private readonly byte[] response;

        public Responder(string response)
        {
            this.response = Encoding.ASCII.GetBytes(response);
            listener.Start();
            _ = RespondAsync();
        }

        public string Url => $"http://{listener.LocalEndpoint}";

        public void Dispose() => listener.Dispose();

        private async Task RespondAsync()
        {
            var received = new byte[64 * 1024];
            while (true)
            {
                try
                {
                    using var client = await listener.AcceptTcpClientAsync();
                    await using var stream = client.GetStream();
                    _ = await stream.ReadAsync(received);
                    await stream.WriteAsync(response);
                }
                catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
                {
                    return;
                }
            }
        }
    }
}
