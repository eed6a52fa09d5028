using System.Net;
using System.Net.Http.Headers;
using ApexShop.Access;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Limits;

/// <summary>The rate refills once an hour, so the results do not depend on the speed of the test.</summary>
public sealed class RequestRateLimitTests(FewOfEach shop) : IClassFixture<FewOfEach>, IDisposable
{
    private const string Key = "reader";

    private readonly QueriesApp app = new QueriesApp(shop.Database.Queries).WithKey(0, Key, Scopes.OrdersRead)
        .WithKey(1, "other")
        .With("Limits:KeyRate:Requests", 1).With("Limits:KeyRate:Seconds", 3600).With("Limits:KeyRate:Burst", 3)
        .With("Limits:AnonymousRate:Requests", 1).With("Limits:AnonymousRate:Seconds", 3600)
            .With("Limits:AnonymousRate:Burst", 2);

    public void Dispose() => app.Dispose();

    [Fact]
    public async Task A_caller_has_a_burst_and_then_waits_and_every_response_has_the_remaining_requests()
    {
        using var http = Client(Key);
        foreach (var (path, left) in ((string, int)[])[("products/1", 2), ("products/2147483647", 1), ("users/1", 0)])
        {
            using var answer = await http.GetAsync(path);
            answer.StatusCode.ShouldNotBe(HttpStatusCode.TooManyRequests);
            ShouldTell(answer, "\"key\";q=3;w=10800", left);
        }

        using var refused = await http.GetAsync("products/1");
        await refused.ShouldBeProblemAsync(HttpStatusCode.TooManyRequests, "rate.exceeded");
        refused.Headers.RetryAfter!.Delta!.Value.TotalSeconds.ShouldBeInRange(1800, 3600);
        ShouldTell(refused, "\"key\";q=3;w=10800", 0);
    }

    [Fact]
    public async Task Each_key_has_its_own_rate_and_anonymous_callers_share_that_of_their_address()
    {
        (await StatusesAsync(Key, 4)).ShouldBe([200, 200, 200, 429]);
        (await StatusesAsync("other", 4)).ShouldBe([200, 200, 200, 429]);
        (await StatusesAsync(null, 1)).ShouldBe([200]);
        (await StatusesAsync("not-a-key", 2)).ShouldBe([200, 429]);
    }

    [Fact]
    public async Task Requests_with_wrong_keys_or_paths_count_and_health_probes_do_not()
    {
        using var stranger = Client("not-a-key");
        for (var i = 0; i < 5; i++)
            (await stranger.GetAsync("health/live")).Headers.Contains("RateLimit").ShouldBeFalse();
        (await stranger.GetAsync("orders/1")).StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        (await stranger.GetAsync("nowhere")).StatusCode.ShouldBe(HttpStatusCode.NotFound);

        (await stranger.GetAsync("orders/1")).StatusCode.ShouldBe(HttpStatusCode.TooManyRequests);
        await Eventually.Holds(
            async () => (await stranger.GetAsync("health/ready")).IsSuccessStatusCode, "the probe is not refused");
    }

    [Fact]
    public async Task The_page_of_the_documentation_is_counted()
    {
        using var http = Client(null);
        foreach (var status in (int[])[200, 200, 429])
        {
            using var answer = await http.GetAsync("docs/index.html");
            ((int)answer.StatusCode).ShouldBe(status);
            answer.Headers.Contains("RateLimit").ShouldBeTrue();
        }
    }

    private static void ShouldTell(HttpResponseMessage answer, string policy, int left)
    {
        answer.Headers.GetValues("RateLimit-Policy").ShouldBe([policy]);
        answer.Headers.GetValues("RateLimit").Single().ShouldStartWith($"\"key\";r={left};t=");
    }

    private async Task<List<int>> StatusesAsync(string? key, int count)
    {
        using var http = Client(key);
        var statuses = new List<int>();
        for (var i = 0; i < count; i++)
        {
            using var answer = await http.GetAsync("limits");
            statuses.Add((int)answer.StatusCode);
        }

        return statuses;
    }

    private HttpClient Client(string? key)
    {
        var http = app.CreateClient();
        if (key is not null) http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return http;
    }
}
