using System.Net;
using ApexShop.Projector.EventLog;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Tests.EventLog;

public sealed class EventLogFailoverTests
{
    [Fact]
    public async Task The_next_address_gets_the_same_request_where_one_cannot_be_reached()
    {
        using var servers = new Servers("http://third");
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

    [Fact]
    public async Task A_response_with_an_error_status_does_not_fail_over()
    {
        using var servers = new Servers("http://first") { Status = HttpStatusCode.ServiceUnavailable };
        using var http = Client(servers);

        (await http.GetAsync("events")).StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        servers.Asked.ShouldBe(["first"]);
    }

    private static HttpClient Client(Servers servers)
    {
        var options = Options.Create(new EventLogOptions { Fallbacks = [new("http://second"), new("http://third")] });
        return new(new EventLogFailover(options) { InnerHandler = servers }) { BaseAddress = new("http://first") };
    }

    /// <summary>Of all servers one listens, and answers with what it was asked.</summary>
    private sealed class Servers(string listening) : HttpMessageHandler
    {
        public List<string> Asked { get; } = [];

        public HttpStatusCode Status { get; init; } = HttpStatusCode.OK;

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            Asked.Add(request.RequestUri!.Host);
            return request.RequestUri.Host == new Uri(listening).Host
                ? Task.FromResult(
                    new HttpResponseMessage(Status) { Content = new StringContent(request.RequestUri.ToString()) })
                : throw new HttpRequestException(HttpRequestError.ConnectionError);
        }
    }
}
