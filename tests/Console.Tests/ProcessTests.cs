using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>Every process and dependency has its state, and an unavailable one is visible at once.</summary>
public sealed class ProcessTests(LiveShop shop) : IClassFixture<LiveShop>
{
    [Fact]
    public async Task A_dead_Redis_is_shown_by_every_process_that_uses_it()
    {
        using var redis = new PrivateRedis();
        await redis.StartAsync();
        await using var own = await Shop.StartAsync(ShopServers.Shared with { Redis = redis.Configuration });
        await using var visit = await Visit.OpenAsync(shop.Chromium, own.Commands.Url);
        await visit.EnterAsync();
        await Expect(visit.Process("Projector").Locator(".checks")).ToContainTextAsync("Redis: ok");
        await redis.StopAsync();
        foreach (var name in (string[])["Projector", "Queries.Api"])
        {
            await Expect(visit.Process(name).Locator(".checks")).ToContainTextAsync("Redis: unavailable");
            await Expect(visit.Process(name)).ToHaveAttributeAsync("data-state", "alarm");
            await Expect(visit.Process(name).Locator(".note")).ToHaveTextAsync("ready");
        }

        await redis.StartAsync();
        await Expect(visit.Process("Projector").Locator(".checks")).ToContainTextAsync("Redis: ok");
        await Expect(visit.Process("Queries.Api")).ToHaveAttributeAsync("data-state", "ok");
    }

    [Fact]
    public async Task A_process_has_its_address_and_each_dependency_and_a_killed_one_is_unavailable()
    {
        await using var visit = await shop.EnterAsync();
        await Expect(visit.Page.Locator(".processes > li")).ToHaveCountAsync(3);
        var commands = visit.Process("Commands.Api");
        await Expect(commands.Locator(".note")).ToHaveTextAsync("ready");
        await Expect(commands.Locator(".checks li")).ToHaveTextAsync(["PostgreSQL: ok", "RabbitMQ: ok"]);
        var queries = visit.Process("Queries.Api");
        await Expect(queries.Locator(".url")).ToHaveTextAsync(shop.Shop.Queries.Url.Authority);
        await Expect(queries.Locator(".checks li"))
            .ToHaveTextAsync(["PostgreSQL: ok", "Redis: ok", "Cache tags: ok"]);

        await shop.Shop.Queries.KillAsync();
        await Expect(queries.Locator(".note")).ToHaveTextAsync("unavailable");
        await Expect(queries.Locator(".checks li")).ToHaveCountAsync(0);
        await shop.Shop.Queries.StartAsync();
        await Expect(queries.Locator(".note")).ToHaveTextAsync("ready");
    }

    [Theory]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task An_alarm_has_colours_that_no_chart_and_no_other_state_has(ColorScheme scheme)
    {
        await using var visit = await shop.OpenAsync();
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = scheme });
        await visit.RouteStatusAsync(status => status["projection"]!["lagSeconds"] = 42);
        await visit.EnterAsync();
        await Expect(visit.Page.Locator("[data-tile=lag]")).ToHaveAttributeAsync("data-state", "alarm");

        var colours = await visit.Page.EvaluateAsync<string[]>("""
            () => {
                const style = selector => getComputedStyle(document.querySelector(selector));
                const sheets = ['[data-tile=lag]', '[data-step=log]'].map(one => style(one).backgroundColor);
                const lines = ['.line-0', '.line-1'].map(line => style(`#throughput path${line}`).stroke);
                return [style('[data-tile=lag] .figure').color, style('[data-step=log] .figure').color, ...lines,
                    ...sheets];
            }
            """);
        colours.Distinct().Count().ShouldBe(6);
        var (red, green, blue) = Parts(colours[0]);
        red.ShouldBeGreaterThan(green + 60);
        Math.Abs(green - blue).ShouldBeLessThan(40, "the alarm is red, not orange");
    }

    [Fact]
    public async Task The_charts_stand_in_two_rows_of_two()
    {
        await using var visit = await shop.EnterAsync();
        // In one call: what the page shows above may move the charts between two calls.
        var boxes = await visit.Page.Locator(".charts figure").EvaluateAllAsync<double[][]>(
            "charts => charts.map(one => one.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])");
        boxes.Length.ShouldBe(4);
        var (x, y, width) = (0, 1, 2);
        (boxes[1][y], boxes[3][y]).ShouldBe((boxes[0][y], boxes[2][y]));
        (boxes[2][x], boxes[3][x]).ShouldBe((boxes[0][x], boxes[1][x]));
        boxes[3][width].ShouldBe(boxes[0][width], tolerance: 1);
    }

    private static (int Red, int Green, int Blue) Parts(string colour)
    {
        var parts = colour[4..^1].Split(", ").Select(int.Parse).ToArray();
        return (parts[0], parts[1], parts[2]);
    }
}
