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
    [InlineData("GET", "/admin/projection", HttpStatusCode.OK)]
    [InlineData("POST", "/admin/projections/rebuild", HttpStatusCode.ServiceUnavailable)]
    public async Task Only_a_request_that_changes_nothing_is_sent_to_another_Projector(
        string method, string path, HttpStatusCode expected)
    {
        using var ending = new Responder("");
        using var other = new Responder(Whole);
        using var api = CommandsApp.Start(
            app.Database.Commands, ("Projector:Urls:0", ending.Url), ("Projector:Urls:1", other.Url));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        using var response = await http.SendAsync(request);

        response.StatusCode.ShouldBe(expected);
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
            ("Projector:ReadSeconds", "1"));
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
