using System.Net;
using System.Text.Json;
using ApexShop.Hosting;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class HealthTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Reports_each_dependency_without_a_key()
    {
        using var client = app.ClientWith(null);
        using var live = await client.GetAsync("/health/live");
        live.StatusCode.ShouldBe(HttpStatusCode.OK);

        var body = default(JsonElement);
        await Eventually.Holds(
            async () =>
            {
                using var ready = await client.GetAsync("/health/ready");
                body = (await Answer.ReadAsync(ready)).Body;
                return ready.IsSuccessStatusCode;
            },
            "the process is ready");
        body.GetProperty("status").GetString().ShouldBe("ready");
        body.GetProperty("checks").GetProperty("postgres").GetString().ShouldBe("ok");
    }

    [Fact]
    public async Task The_version_needs_no_key()
    {
        using var client = app.ClientWith(null);
        using var response = await client.GetAsync("/version");
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        var body = (await Answer.ReadAsync(response)).Body;
        body.GetProperty("version").GetString().ShouldBe(ProductVersion.Number);
        body.GetProperty("commit").GetString().ShouldBe(ProductVersion.Commit);
    }

    [Fact]
    public async Task A_thousand_probes_in_a_second_check_each_dependency_once()
    {
        var (asked, clock) = (0, new ManualClock());
        await using var parent = CommandsApp.Start(app.Database.Commands);
        await using var counting = parent.WithWebHostBuilder(host => host.ConfigureServices(services =>
        {
            services.AddSingleton<TimeProvider>(clock);
            services.AddHealthChecks().AddCheck(
                "counted", () => Interlocked.Increment(ref asked) > 0 ? HealthCheckResult.Healthy() : default);
        }));
        counting.UseKestrel();
        using var client = CommandsApp.Client(counting, null);
        await Eventually.Holds(
            async () =>
            {
                clock.Advance(TimeSpan.FromSeconds(1));
                return (await client.GetAsync("/health/ready")).IsSuccessStatusCode;
            },
            "the process is ready");
        asked = 0;
        clock.Advance(TimeSpan.FromSeconds(1));

        await Parallel.ForAsync(
            0, 1_000,
            async (_, ct) => (await client.GetAsync("/health/ready", ct)).StatusCode.ShouldBe(HttpStatusCode.OK));
        asked.ShouldBe(1);
        clock.Advance(TimeSpan.FromSeconds(1));
        using var later = await client.GetAsync("/health/ready");
        (await Answer.ReadAsync(later)).Body.GetProperty("checks").GetProperty("counted").GetString().ShouldBe("ok");
        asked.ShouldBe(2);
    }
}
