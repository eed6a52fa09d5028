using System.Globalization;
using System.Net;
using System.Security.Claims;
using ApexShop.Access;
using ApexShop.Limits;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Shared.Tests.Limits;

public sealed class CallerRateLimiterTests
{
    private readonly ManualClock clock = new();

    [Fact]
    public void A_used_burst_refills_one_request_at_a_time()
    {
        var rates = Rates(requests: 2, seconds: 10, burst: 3);

        foreach (var (left, full) in ((int, int)[])[(2, 5), (1, 10), (0, 15)])
            ShouldPass(rates, $"\"anonymous\";r={left};t={full}");
        ShouldRefuse(rates, 5, "\"anonymous\";r=0;t=15");
        clock.Advance(TimeSpan.FromSeconds(4));
        ShouldRefuse(rates, 1, "\"anonymous\";r=0;t=11");
        clock.Advance(TimeSpan.FromSeconds(1));
        ShouldPass(rates, "\"anonymous\";r=0;t=15");
        clock.Advance(TimeSpan.FromHours(1));
        ShouldPass(rates, "\"anonymous\";r=2;t=5");
    }

    [Fact]
    public void A_refused_request_is_not_counted()
    {
        var rates = Rates(requests: 1, seconds: 10, burst: 1);
        ShouldPass(rates, "\"anonymous\";r=0;t=10");
        for (var i = 0; i < 100; i++) ShouldRefuse(rates, 10, "\"anonymous\";r=0;t=10");
        clock.Advance(TimeSpan.FromSeconds(10));

        ShouldPass(rates, "\"anonymous\";r=0;t=10");
    }

    [Fact]
    public void The_policy_header_contains_the_quota_and_the_window()
    {
        var http = Http("203.0.113.7");
        Rates(requests: 2, seconds: 10, burst: 3).Pass(http).ShouldBeTrue();
        http.Response.Headers["RateLimit-Policy"].ToString().ShouldBe("\"anonymous\";q=3;w=15");

        var keyed = Http("203.0.113.7", "back office");
        Rates(requests: 2, seconds: 10, burst: 3).Pass(keyed).ShouldBeTrue();
        keyed.Response.Headers["RateLimit-Policy"].ToString().ShouldBe("\"key\";q=1000;w=1");
    }

    [Fact]
    public void A_customer_has_no_more_requests_than_the_address_has_without_a_token()
    {
        var rates = Rates(requests: 1, seconds: 10, burst: 2);
        ShouldPass(rates, "\"anonymous\";r=1;t=10");
        foreach (var (id, isAllowed) in ((int, bool)[])[(17, true), (17, false), (18, false)])
        {
            var http = Http("203.0.113.7");
            http.User = Customer.PrincipalOf(id);
            rates.Pass(http).ShouldBe(isAllowed);
        }
    }

    [Fact]
    public void The_slowest_rate_with_the_largest_burst_that_the_settings_allow_is_a_rate()
    {
        var rates = Rates(requests: 1, seconds: 86_400, burst: 10_000_000);
        for (var left = 1; left <= 3; left++)
            ShouldPass(rates, $"\"anonymous\";r={10_000_000 - left};t={left * 86_400}");
    }

    [Fact]
    public async Task Concurrent_requests_are_each_counted()
    {
        var rates = Rates(requests: 1, seconds: 3600, burst: 500);
        var passed = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(
            () => Enumerable.Range(0, 200).Count(_ => rates.Pass(Http("203.0.113.7"))))));

        passed.Sum().ShouldBe(500);
    }

    [Fact]
    public void Only_callers_with_a_whole_burst_are_removed()
    {
        var rates = Rates(requests: 1, seconds: 1, burst: 1);
        for (var i = 0; i < 9_000; i++) rates.Pass(Http(Address(i)));
        clock.Advance(TimeSpan.FromSeconds(1));
        for (var i = 9_000; i < 12_000; i++) rates.Pass(Http(Address(i))).ShouldBeTrue();

        rates.CallerCount.ShouldBeInRange(1_000, 3_001);
        rates.Pass(Http(Address(9_500))).ShouldBeFalse();
        rates.Pass(Http(Address(1))).ShouldBeTrue();
    }

    [Fact]
    public void A_refused_request_whose_time_is_earlier_than_the_last_one_has_nothing_left()
    {
        var policy = new RatePolicy("anonymous", new RateOptions { Requests = 1, Seconds = 10, Burst = 3 }, 1);
        var fullAt = 0L;
        for (var i = 0; i < 3; i++) policy.Count(ref fullAt, 1000)!.Value.RetryAfterSeconds.ShouldBe(0);

        var refused = policy.Count(ref fullAt, 999)!.Value;

        refused.RetryAfterSeconds.ShouldBe(11);
        policy.StateAt(refused.UntilFull).ShouldBe("\"anonymous\";r=0;t=30");
    }

    private static string Address(int i) => string.Create(CultureInfo.InvariantCulture, $"10.0.{i / 250}.{i % 250}");

    private static DefaultHttpContext Http(string address, string? key = null)
    {
        var http = new DefaultHttpContext { Connection = { RemoteIpAddress = IPAddress.Parse(address) } };
        if (key is not null)
            http.User = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, key)], "test"));
        return http;
    }

    private static void ShouldPass(CallerRateLimiter rates, string state)
    {
        var http = Http("203.0.113.7");
        rates.Pass(http).ShouldBeTrue();
        http.Response.Headers["RateLimit"].ToString().ShouldBe(state);
        http.Response.StatusCode.ShouldBe(200);
    }

    private static void ShouldRefuse(CallerRateLimiter rates, int wait, string state)
    {
        var http = Http("203.0.113.7");
        rates.Pass(http).ShouldBeFalse();
        http.Response.StatusCode.ShouldBe(429);
        http.Response.Headers["RateLimit"].ToString().ShouldBe(state);
        http.Response.Headers.RetryAfter.ToString().ShouldBe(wait.ToString(CultureInfo.InvariantCulture));
    }

    private CallerRateLimiter Rates(int requests, int seconds, int burst) => new(
        new RateOptions { Requests = 1000, Burst = 1000 },
        new RateOptions { Requests = requests, Seconds = seconds, Burst = burst },
        clock);
}
