using System.Net;

namespace ApexShop.Queries.Api.Tests.Hosting;

/// <summary>Which X-Forwarded headers are trusted, and how they affect HTTPS.</summary>
public sealed class ProxyTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task The_scheme_that_a_known_proxy_forwards_is_used()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Transport:Proxies:0", "127.0.0.0/8");
        using var http = app.CreateClient();

        using var secure = await GetAsync(http, "products/1", "203.0.113.7", "https");
        secure.StatusCode.ShouldBe(HttpStatusCode.OK);
        secure.Headers.GetValues("Strict-Transport-Security").ShouldBe(["max-age=31536000"]);
        using var refused = await GetAsync(http, "products/2147483647", "203.0.113.7", "https");
        refused.Headers.GetValues("Strict-Transport-Security").ShouldBe(["max-age=31536000"]);
        using var plain = await GetAsync(http, "products/1", "203.0.113.7", "http");
        plain.StatusCode.ShouldBe(HttpStatusCode.OK, "redirecting is the proxy's");
        plain.Headers.Contains("Strict-Transport-Security").ShouldBeFalse();
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("192.0.2.1")]
    public async Task The_headers_of_others_are_ignored(string? proxy)
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Limits:AnonymousRate:Requests", 1)
            .With("Limits:AnonymousRate:Seconds", 3600).With("Limits:AnonymousRate:Burst", 2);
        if (proxy is not null) app.With("Transport:Proxies:0", proxy);
        using var http = app.CreateClient();

        // If their addresses were trusted, each would have its own rate.
        var answers = new List<HttpStatusCode>();
        foreach (var address in (string[])["203.0.113.7", "203.0.113.8", "203.0.113.9"])
        {
            using var answer = await GetAsync(http, "limits", address, "https");
            answer.Headers.Contains("Strict-Transport-Security").ShouldBeFalse();
            answers.Add(answer.StatusCode);
        }

        answers.ShouldBe([HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.TooManyRequests]);
    }

    [Fact]
    public async Task Behind_a_known_proxy_requests_count_for_its_clients_and_no_client_can_forge_an_address()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Transport:Proxies:0", "127.0.0.1")
            .With("Limits:AnonymousRate:Requests", 1).With("Limits:AnonymousRate:Seconds", 3600)
                .With("Limits:AnonymousRate:Burst", 1);
        using var http = app.CreateClient();

        (await StatusAsync(http, "203.0.113.7")).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(http, "203.0.113.8")).ShouldBe(HttpStatusCode.OK);
        // A proxy appends the address that it sees to what the client sent.
        (await StatusAsync(http, "198.51.100.1, 203.0.113.7")).ShouldBe(HttpStatusCode.TooManyRequests);
    }

    private static async Task<HttpStatusCode> StatusAsync(HttpClient http, string address)
    {
        using var answer = await GetAsync(http, "limits", address, "https");
        return answer.StatusCode;
    }

    private static async Task<HttpResponseMessage> GetAsync(HttpClient http, string path, string address, string scheme)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        // Loopback hosts, which developers use, get no HSTS header.
        request.Headers.Host = "shop.example";
        request.Headers.Add("X-Forwarded-For", address);
        request.Headers.Add("X-Forwarded-Proto", scheme);
        return await http.SendAsync(request);
    }
}
