using System.Net;
using ApexShop.Access;
using ApexShop.Commands.Api.Tests.Access;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Limits;

/// <summary>
/// Token buckets that are not refilled while the test runs, so that the result does not depend on its speed.
/// </summary>
public sealed class RequestRateLimitTests : IDisposable
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=commands;Database=none";

    private readonly WebApplicationFactory<Program> api = CommandsApp.Start(
        Unavailable,
        ("Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "3600"), ("Limits:KeyRate:Burst", "3"),
        ("Limits:AnonymousRate:Requests", "1"), (
            "Limits:AnonymousRate:Seconds", "1800"), ("Limits:AnonymousRate:Burst", "2"));

    public void Dispose() => api.Dispose();

    [Fact]
    public async Task A_key_may_use_its_burst_and_is_then_refused()
    {
        using var client = CommandsApp.Client(api, CommandsApp.Key);
        foreach (var left in new[] { 2, 1, 0 })
        {
            using var allowed = await client.GetAsync("/limits");
            allowed.StatusCode.ShouldBe(HttpStatusCode.OK);
            ShouldReport(allowed, "\"key\";q=3;w=10800", $"\"key\";r={left};t=");
        }

        using var refused = await client.DeleteAsync("/nothing");
        (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        refused.Headers.RetryAfter!.Delta!.Value.TotalSeconds.ShouldBeInRange(1800, 3600);
        ShouldReport(refused, "\"key\";q=3;w=10800", "\"key\";r=0;t=");
    }

    [Fact]
    public async Task Keys_have_separate_rates_and_anonymous_callers_share_that_of_their_address()
    {
        using var one = CommandsApp.Client(api, Scopes.Admin);
        using var other = CommandsApp.Client(api, Scopes.UsersWrite);
        using var anonymous = CommandsApp.Client(api, null);
        using var stranger = CommandsApp.Client(api, "not-a-key");

        (await StatusesAsync(one, 4)).ShouldBe([200, 200, 200, 429]);
        (await StatusesAsync(other, 4)).ShouldBe([200, 200, 200, 429]);
        (await StatusesAsync(anonymous, 1)).ShouldBe([200]);
        (await StatusesAsync(stranger, 2)).ShouldBe([200, 429]);
    }

    [Fact]
    public async Task Health_is_not_counted()
    {
        using var anonymous = CommandsApp.Client(api, null);
        for (var i = 0; i < 10; i++)
        {
            using var live = await anonymous.GetAsync("/health/live");
            live.StatusCode.ShouldBe(HttpStatusCode.OK);
            live.Headers.Contains("RateLimit").ShouldBeFalse();
        }
    }

    [Fact]
    public async Task Requests_without_a_valid_key_are_counted()
    {
        using var stranger = CommandsApp.Client(api, "not-a-key");
        for (var i = 0; i < 2; i++)
        {
            using var guess = await stranger.DeleteAsync("/orders/1");
            guess.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        }

        using var refused = await stranger.DeleteAsync("/orders/1");
        refused.StatusCode.ShouldBe(HttpStatusCode.TooManyRequests);
    }

    [Fact]
    public async Task A_request_with_a_wrong_key_writes_no_line_in_the_log()
    {
        using var logs = new CollectedLogs(LogLevel.Information);
        await using var logged = api.WithWebHostBuilder(
            host => host.ConfigureServices(services => services.AddSingleton<ILoggerProvider>(logs)));
        logged.UseKestrel();
        using var anonymous = CommandsApp.Client(logged, null);
        using var stranger = CommandsApp.Client(logged, "not-a-key");

        (await anonymous.DeleteAsync("/orders/1")).StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusesAsync(stranger, 2)).ShouldBe([200, 429]);
        var other = logged.Services.GetRequiredService<ILoggerFactory>().CreateLogger("ApexShop.Access");
        other.IsEnabled(LogLevel.Information).ShouldBeTrue();
        logs.Lines.ShouldNotContain(line => line.Contains("ApiKey", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_page_of_the_documentation_is_counted()
    {
        using var anonymous = CommandsApp.Client(api, null);
        foreach (var status in (int[])[200, 200, 429])
        {
            using var response = await anonymous.GetAsync("/docs/index.html");
            ((int)response.StatusCode).ShouldBe(status);
            response.Headers.Contains("RateLimit").ShouldBeTrue();
        }
    }

    [Fact]
    public async Task A_caller_that_waited_is_accepted_again()
    {
        await using var quick = CommandsApp.Start(
            Unavailable, (
                "Limits:KeyRate:Requests", "1"), ("Limits:KeyRate:Seconds", "1"), ("Limits:KeyRate:Burst", "1"));
        using var client = CommandsApp.Client(quick, CommandsApp.Key);
        await Eventually.Holds(async () => (await StatusesAsync(client, 1))[0] == 429, "the bucket is empty");

        await Eventually.Holds(async () => (await StatusesAsync(client, 1))[0] == 200, "the bucket has filled again");
    }

    private static async Task<List<int>> StatusesAsync(HttpClient client, int count)
    {
        var statuses = new List<int>();
        for (var i = 0; i < count; i++)
        {
            using var response = await client.GetAsync("/limits");
            statuses.Add((int)response.StatusCode);
        }

        return statuses;
    }

    private static void ShouldReport(HttpResponseMessage response, string policy, string state)
    {
        response.Headers.GetValues("RateLimit-Policy").ShouldBe([policy]);
        response.Headers.GetValues("RateLimit").Single().ShouldStartWith(state);
    }
}
