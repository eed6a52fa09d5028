using System.Net;
using ApexShop.Projector.EventLog;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Tests.EventLog;

public sealed class EventLogFailoverTests
{
    [Theory]
    [InlineData(HttpRequestError.ConnectionError)]
    [InlineData(HttpRequestError.NameResolutionError)]
    [InlineData(HttpRequestError.ResponseEnded)]
    public async Task The_next_address_gets_the_same_request_where_one_cannot_be_reached(HttpRequestError error)
    {
        using var servers = new Servers("http://third") { Error = error };
        using var http = Client(servers);

        (await http.GetStringAsync("events?after=5&resource=products"))
            .ShouldBe("http://third/events?after=5&resource=products");
        servers.Asked.ShouldBe(["first", "second", "third"]);
    }

    [Fact]
    public async Task The_failure_of_the_last_address_is_thrown()
    {
        using var servers = new Servers("http://nowhere");
        using var http = Client(servers);

        (await Should.ThrowAsync<HttpRequestException>(() => http.GetStringAsync("events"))).HttpRequestError
            .ShouldBe(HttpRequestError.ConnectionError);
        servers.Asked.ShouldBe(["first", "second", "third"]);
    }

    [Theory]
    [InlineData(HttpStatusCode.BadGateway)]
    [InlineData(HttpStatusCode.ServiceUnavailable)]
    [InlineData(HttpStatusCode.GatewayTimeout)]
    public async Task The_next_address_gets_the_same_request_where_one_is_unavailable(HttpStatusCode status)
    {
        using var servers = new Servers("http://third") { Unavailable = status };
        using var http = Client(servers);

        (await http.GetStringAsync("events?after=5")).ShouldBe("http://third/events?after=5");
        await http.GetStringAsync("events");
        servers.Asked.ShouldBe(["first", "second", "third", "third"]);
    }

    [Fact]
    public async Task The_response_of_the_last_address_is_returned()
    {
        using var servers = new Servers("http://nowhere") { Unavailable = HttpStatusCode.ServiceUnavailable };
        using var http = Client(servers);

        (await http.GetAsync("events")).StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        servers.Asked.ShouldBe(["first", "second", "third"]);
    }

    [Theory]
    [InlineData(HttpStatusCode.Forbidden)]
    [InlineData(HttpStatusCode.InternalServerError)]
    public async Task A_response_with_another_error_status_does_not_fail_over(HttpStatusCode status)
    {
        using var servers = new Servers("http://first") { Status = status };
        using var http = Client(servers);

        (await http.GetAsync("events")).StatusCode.ShouldBe(status);
        servers.Asked.ShouldBe(["first"]);
    }

    [Fact]
    public async Task The_next_address_gets_the_same_request_where_one_hangs()
    {
        using var servers = new Servers("http://second") { Hangs = "first" };
        using var http = Client(servers, TimeSpan.FromMilliseconds(1));

        (await http.GetStringAsync("events?after=5")).ShouldBe("http://second/events?after=5");
        servers.Asked.ShouldBe(["first", "second"]);
    }

    [Fact]
    public async Task Later_requests_begin_with_the_address_that_responded()
    {
        using var servers = new Servers("http://second");
        using var http = Client(servers);
        await http.GetStringAsync("events");
        servers.Asked.Clear();

        await http.GetStringAsync("events");
        servers.Asked.ShouldBe(["second"]);

        servers.Listening = "http://first";
        await http.GetStringAsync("events");
        servers.Asked.ShouldBe(["second", "second", "third", "first"]);
    }

    [Fact]
    public async Task A_request_that_is_cancelled_does_not_fail_over()
    {
        using var servers = new Servers("http://second") { Hangs = "first" };
        using var http = Client(servers);
        using var cancelling = new CancellationTokenSource(TimeSpan.FromMilliseconds(1));

        await Should.ThrowAsync<OperationCanceledException>(() => http.GetStringAsync("events", cancelling.Token));
        servers.Asked.ShouldBe(["first"]);
    }

    private static HttpClient Client(Servers servers, TimeSpan? limit = null)
    {
        var options = Options.Create(new EventLogOptions
        {
            Url = new("http://first"),
            Fallbacks = [new("http://second"), new("http://third")],
        });
        var failover = new EventLogFailover(options)
        {
            InnerHandler = servers,
            Limit = limit ?? TimeSpan.FromMinutes(1),
        };
        return new(failover) { BaseAddress = options.Value.Url };
    }

    /// <summary>Of all servers one listens, and answers with what it was asked.</summary>
    private sealed class Servers(string listening) : HttpMessageHandler
    {
        public string Listening { get; set; } = listening;

        public List<string> Asked { get; } = [];

        /// <summary>The one that takes requests and does not answer.</summary>
        public string? Hangs { get; init; }

        /// <summary>Of the servers that do not listen.</summary>
        public HttpRequestError Error { get; init; } = HttpRequestError.ConnectionError;

        public HttpStatusCode Status { get; init; } = HttpStatusCode.OK;

        /// <summary>What the others answer; without it they cannot be reached.</summary>
        public HttpStatusCode? Unavailable { get; init; }

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            Asked.Add(request.RequestUri!.Host);
            if (request.RequestUri.Host == Hangs) await Task.Delay(Timeout.Infinite, cancellationToken);
            if (request.RequestUri.Host == new Uri(Listening).Host)
                return new(Status) { Content = new StringContent(request.RequestUri.ToString()) };
            return Unavailable is { } status ? new(status) : throw new HttpRequestException(Error);
        }
    }
}
